import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { AdminClient, isSyncError } from '@godwit/admin-client'
import { createSyncServer, defineSource } from '@godwit/server'
import { openMemoryStore } from '@godwit/store'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { inRepository } from '../harness/process.js'

const PASSWORD = 'longest of all nights'
const ends: (() => unknown)[] = []
let url: string
let admin: AdminClient

beforeAll(async () => {
  const server = createSyncServer({
    store: openMemoryStore(),
    sources: [
      defineSource({ name: 'Product', pollInterval: -1 }),
      defineSource({ name: 'Order', query: ({ user }) => ({ 7: { of: user } }) }),
      defineSource({ name: 'City', partition: 'app', pollInterval: -1 }),
    ],
    admin: { login: 'admin', password: PASSWORD },
  })
  const listening = await server.listen({ port: 0 })
  ends.push(listening.close)
  url = listening.url
  admin = await AdminClient.login({ url, login: 'admin', password: PASSWORD })
})
afterAll(async () => {
  for (const end of ends) await end()
})

/** Runs a block of TypeScript in the README of the admin client against the server, and returns the values of its names. */
async function run(block: string, ...names: readonly string[]): Promise<Record<string, unknown>> {
  const lines = stripTypeScriptTypes(block)
    .replace(/^import .*$/gm, '')
    .replaceAll("'http://127.0.0.1:8675'", 'url')
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor
  const process = { env: { ADMIN_PASSWORD: PASSWORD, SYNC_TOKEN: admin.token } }
  const console = { log: () => {} }
  const all = { AdminClient, isSyncError, url, process, console }
  return await new AsyncFunction(...Object.keys(all), `${lines}\nreturn { ${names.join(', ')} }`)(...Object.values(all))
}

const blocks = [...readFileSync(inRepository('packages/admin-client/README.md'), 'utf8').matchAll(/```ts\n(.*?)```/gs)]
const blockWith = (text: string): string => blocks.find(([, block = '']) => block.includes(text))?.[1] ?? ''

test('the first lines of the README create a user and push objects', async () => {
  const { version, count } = await run(blockWith("login: 'ada'"), 'version', 'count')
  expect([version, count]).toEqual([expect.any(Number), 2])
  expect(await admin.users.list()).toContain('ada')
})

test('the calls that the README shows do what they say', async () => {
  const block = blockWith('admin.users.ping(')
  expect(block.match(/admin\.\w+\.\w+\(/g)).toHaveLength(10)
  const results = ['role', 'locked', 'attributes', 'clients', 'sent', 'skipped', 'failed', 'changed', 'partition']
  const { partition, ...displayed } = await run(block, ...results)
  expect(displayed).toEqual({
    role: 'device',
    locked: false,
    attributes: { team: 'south' },
    clients: 0,
    sent: 0,
    skipped: ['grace', 'linus'].map(user => ({ user, reason: 'no_device' })),
    failed: [],
    changed: 2,
  })
  expect(partition).toMatchObject({})
  expect(await admin.users.list({ role: 'plugin' })).toEqual(['robot'])
  expect(await admin.users.list()).not.toContain('linus')
  expect(await admin.users.readDocument('*', 'City', 'md')).toEqual({ 1: { name: 'Paris' } })
  expect(await admin.users.readDocument('grace', 'Order', 'md')).toEqual({ 7: { of: 'grace' } })
  expect(await admin.sources.get('Order')).toMatchObject({ poll_interval: 600 })
})
