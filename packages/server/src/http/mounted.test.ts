import type { AddressInfo } from 'node:net'
import type { Page, PushOutcomes } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { afterEach, expect, test } from '@jest/globals'
import express, { type Express } from 'express'
import { failure, json, openServer, type TestServer, testServer } from '../testing/open-server.js'

const ended: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end()
})

/** The server under `/sync` of an app that has a page and an error handler. */
async function mounted(before?: (app: Express) => void): Promise<TestServer & { readonly url: string }> {
  const Visit = defineSource({ name: 'Visit', pollInterval: -1, create: () => 'v1' })
  const { server, store } = openServer({ sources: [Visit] })
  const app = express()
  before?.(app)
  app.get('/', (_, response) => void response.send('the page of the app'))
  app.use('/sync', server.handler)
  const listening = app.listen(0, '127.0.0.1')
  await new Promise(resolve => listening.once('listening', resolve))
  ended.push(
    () => server.close(),
    () => listening.closeAllConnections(),
    () => listening.close(),
  )
  const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
  return { ...testServer(server, store, (path, init) => fetch(`${url}/sync${path}`, init)), url }
}

test('serves devices, administration and pages under a path of an Express app', async () => {
  const on = await mounted()
  const { headers, session } = await on.device('ada')
  const { epoch } = await json<Page>(await on.call('GET', '/app/v1/Visit', { headers }))
  const mutations = [
    { number: 1, key: 'the key of one visit', operation: 'create', object: 't1', attributes: { note: 'a visit' } },
  ]
  const body = { epoch, acknowledged: 0, mutations }
  const pushed = await json<PushOutcomes>(await on.call('POST', '/app/v1/Visit', { headers, body }))
  expect([session.user_id, pushed.outcomes.length]).toEqual([expect.any(String), 1])
  expect(await json(await on.call('GET', '/rc/v1/users', { headers: await on.as() }))).toEqual(['ada'])
  const docs = await on.ask('/docs')
  expect([docs.status, docs.headers.get('content-security-policy')]).toEqual([200, expect.any(String)])
})

test('leaves the other paths to the app, and answers its own unknown paths as a problem', async () => {
  const on = await mounted()
  expect(await (await fetch(on.url)).text()).toBe('the page of the app')
  expect(await failure(await on.ask('/rc/v1/nothing'))).toBe('404 route_not_found')
  expect((await fetch(`${on.url}/nothing`)).status).toBe(404)
})

test('a body that a parser of the app has read is refused with what to do', async () => {
  const on = await mounted(app => app.use(express.json()))
  const answer = await on.call('POST', '/rc/v1/system/login', { body: { login: 'admin', password: 'x' } })
  expect([answer.status, await answer.json()]).toMatchObject([400, { detail: expect.stringContaining('body parser') }])
})
