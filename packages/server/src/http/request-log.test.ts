import { expect, test } from '@jest/globals'
import { silentLog } from '../base/log.js'
import { openServer } from '../testing/open-server.js'

type Line = { readonly [name: string]: unknown }

function logging(options: object = { logRequests: true }) {
  const lines: Line[] = []
  const log = {
    ...silentLog,
    info: (facts: object, message: string) => message === 'a request' && lines.push({ ...facts }),
  }
  return { lines, on: openServer({ log, ...options }) }
}

test('a line has route, user, client, status, time and the id of the answer', async () => {
  const { lines, on } = logging()
  const { headers, client } = await on.device('ada')
  lines.length = 0
  const answer = await on.call('GET', '/app/v1/City?token=secret-of-nobody', { headers })
  const id = answer.headers.get('x-request-id')
  expect(lines).toEqual([
    { id, method: 'GET', route: 'device.pull', user: 'ada', client, status: 200, ms: expect.any(Number) },
  ])
  expect(id).toMatch(/^\S{16,}$/)
})

test('a refused request is logged too, without its input', async () => {
  const { lines, on } = logging()
  await on.call('POST', '/rc/v1/system/login', { body: { login: 'admin', password: 'a wrong one' } })
  await on.call('GET', '/rc/v1/users/my%20secret')
  await on.call('GET', '/rc/v1/no/such?password=x')
  expect(lines).toMatchObject([
    { route: 'system.login', user: null, client: null, status: 401 },
    { route: 'users.get', user: null, status: 401 },
    { route: null, user: null, status: 404 },
  ])
  expect(JSON.stringify(lines)).not.toMatch(/wrong|secret|password/)
})

test('without the option nothing is logged', async () => {
  const { lines, on } = logging({})
  const answer = await on.call('GET', '/rc/v1/users')
  expect([lines, answer.headers.get('x-request-id')]).toEqual([[], null])
})
