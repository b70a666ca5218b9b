import { expect, test } from '@jest/globals'
import { ADMIN, failure, openServer } from '../../testing/open-server.js'

const REFUSED = '409 last_admin'

test('the last admin cannot be deleted, nor be given another role', async () => {
  const on = openServer()
  const headers = await on.as()
  const path = `/rc/v1/users/${ADMIN.login}`
  const body = { attributes: { team: 'x', password: 'another long one' }, role: 'operator' }
  expect(await failure(await on.call('PUT', path, { headers, body }))).toBe(REFUSED)
  expect(await failure(await on.call('DELETE', path, { headers }))).toBe(REFUSED)
  const user = await (await on.call('GET', path, { headers: await on.as() })).json()
  expect(user).toMatchObject({ role: 'admin', attributes: {} })
})

test('one of two admins can be deleted or given another role', async () => {
  const on = openServer()
  const headers = await on.as()
  const second = { attributes: { login: 'second', password: 'a long password' }, role: 'admin' }
  expect((await on.call('POST', '/rc/v1/users', { headers, body: second })).status).toBe(200)
  expect((await on.call('PUT', `/rc/v1/users/${ADMIN.login}`, { headers, body: { role: 'reader' } })).status).toBe(200)
  const other = await on.as('second', 'a long password')
  expect(await failure(await on.call('DELETE', '/rc/v1/users/second', { headers: other }))).toBe(REFUSED)
  expect((await on.call('DELETE', `/rc/v1/users/${ADMIN.login}`, { headers: other })).status).toBe(200)
})

test('two admins who delete each other concurrently do not both succeed', async () => {
  const on = openServer()
  const headers = await on.as()
  const second = { attributes: { login: 'second', password: 'a long password' }, role: 'admin' }
  await on.call('POST', '/rc/v1/users', { headers, body: second })
  const other = await on.as('second', 'a long password')
  await Promise.all([
    on.call('DELETE', '/rc/v1/users/second', { headers }),
    on.call('DELETE', `/rc/v1/users/${ADMIN.login}`, { headers: other }),
  ])
  const logins = await Promise.all([
    on.call('POST', '/rc/v1/system/login', { body: ADMIN }),
    on.call('POST', '/rc/v1/system/login', { body: { login: 'second', password: 'a long password' } }),
  ])
  expect(logins.map(({ status }) => status)).toContain(200)
})
