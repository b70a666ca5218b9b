import { AdminClient } from '@godwit/admin-client'
import { createSyncServer, defineSource, type SyncServer } from '@godwit/server'
import { openMemoryStore } from '@godwit/store'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { build } from 'esbuild'
import { findChromium, openBrowser, openWatchedPage } from '../harness/browser.js'
import { inRepository } from '../harness/process.js'

const COUNT = 20_000
const chromium = findChromium()
const admin = { login: 'admin', password: 'a password of tests' }

let server: SyncServer
let url: string
beforeAll(async () => {
  const sources = [defineSource({ name: 'Product', partition: 'app', pollInterval: -1 })]
  server = createSyncServer({ store: openMemoryStore(), sources, admin })
  url = (await server.listen({ port: 0 })).url
  const client = await AdminClient.login({ url, ...admin })
  await client.push.objects('Product', '*', products())
})
afterAll(() => server.close())

function* products() {
  for (let at = 0; at < COUNT; at++) yield [`${at}`, { name: `Phone "${at}" {`, tags: ['a,b', '}'] }] as const
}

/** How many objects the stream has, and whether each is as it was pushed. */
const STREAM = `async ({ AdminClient, url, admin }) => {
  const client = await AdminClient.login({ url, ...admin })
  let count = 0
  for await (const [id, { name }] of client.users.readDocument('*', 'Product', 'md', { stream: true })) {
    if (name === 'Phone "' + id + '" {') count++
  }
  return count
}`

test('a document is streamed object by object from one server to another', async () => {
  const client = await AdminClient.login({ url, ...admin })
  const sources = [defineSource({ name: 'Product', partition: 'app', pollInterval: -1 })]
  const other = createSyncServer({ store: openMemoryStore(), sources, admin })
  const fetch = (address: string, request: RequestInit) => other.fetch(address, request)
  const target = await AdminClient.login({ url: 'http://other.test', ...admin, fetch })
  const written = await target.push.objects(
    'Product',
    '*',
    client.users.readDocument('*', 'Product', 'md', { stream: true }),
  )
  expect(written).toMatchObject({ changed: COUNT, count: COUNT })
  expect(await target.users.readDocument('*', 'Product', 'md')).toEqual(
    await client.users.readDocument('*', 'Product', 'md'),
  )
  await other.close()
})

const inBrowser = chromium === undefined ? test.skip : test
inBrowser(
  'a document is read object by object in a browser',
  async () => {
    const { outputFiles } = await build({
      entryPoints: [inRepository('packages/admin-client/src/index.ts')],
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'client',
      conditions: ['source'],
    })
    const browser = await openBrowser(chromium ?? '')
    try {
      const { page, complaints } = await openWatchedPage(browser)
      await page.goto(`${url}/docs`)
      const call = `(${STREAM})({ AdminClient: client.AdminClient, url: ${JSON.stringify(url)}, admin: ${JSON.stringify(admin)} })`
      expect(await page.evaluate(`${outputFiles[0]?.text}; ${call}`)).toBe(COUNT)
      // A busy Chromium may report the request as aborted once its response is collected, though every object was read.
      expect(complaints.filter(complaint => !complaint.endsWith('/docs/md net::ERR_ABORTED'))).toEqual([])
    } finally {
      await browser.close()
    }
  },
  120_000,
)
