import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AdminClient } from '@godwit/admin-client'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { until } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { endAll, inRepository, start } from '../harness/process.js'
import { ADMIN_PASSWORD, startServer } from '../harness/server-process.js'
import { STORES, temporaryFolder } from '../harness/stores.js'

const redis = STORES.find(({ name }) => name === 'Redis')
const models = { Note: defineModel('Note', { sync: 'incremental', attributes: { text: t.string() } }) }
/** Texts of the notes; the backend blocks the call for `held`, so that a worker can be killed during a call. */
const TEXTS = ['a', 'b', 'held', ...Array.from({ length: 9 }, (_, index) => `note ${index}`)]

let folder: ReturnType<typeof temporaryFolder>
const closers: (() => Promise<void>)[] = []
beforeEach(() => {
  folder = temporaryFolder()
  writeFileSync(join(folder.path, 'hold'), '')
})
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
  await endAll()
  folder.remove()
})

const config = 'queued-notes.mjs'
const environment = async (more = {}) => ({ NOTES_FOLDER: folder.path, ...more })
const serve = async () => {
  const store = (await redis?.address(folder.path)) ?? ''
  return startServer({ store, config, environment: await environment({ SYNC_WORKERS: 'false' }) })
}

async function work() {
  const worker = start(inRepository('apps/server/dist/godwit.js'), ['worker'], {
    SYNC_STORE: await redis?.address(folder.path),
    SYNC_CONFIG: inRepository(`packages/e2e/harness/configs/${config}`),
    SYNC_ADMIN_PASSWORD: ADMIN_PASSWORD,
    NODE_ENV: undefined,
    ...(await environment()),
  })
  await worker.line(/^godwit worker is ready$/m)
  return worker
}

/** Returns the texts of the calls that the backend began or ended. */
function calls(what: 'begin' | 'end'): readonly string[] {
  const file = join(folder.path, 'calls')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  return lines.filter(line => line.startsWith(`${what} `)).map(line => line.slice(what.length + 1))
}

async function deviceAt(url: string, name: string) {
  const sdk = await openSdk({ directory: join(folder.path, name), server: url, models })
  closers.push(() => sdk.close())
  await sdk.login('ada', 'ada')
  return { sdk, texts: () => sdk.models.Note.find().map(({ text }) => text) }
}

if (!redis) test.skip('workers beside servers need a redis-server', () => undefined)
else
  describe('two servers without jobs, and workers', () => {
    test('run each mutation once though a worker is killed, list doubts, and wake devices of both servers', async () => {
      const [one, other] = await Promise.all([serve(), serve()])
      const first = await work()
      const [writer, listener] = [await deviceAt(one.url, 'writer'), await deviceAt(other.url, 'listener')]
      const heard: string[] = []
      void (async () => {
        for await (const { kind } of listener.sdk.events()) heard.push(kind)
      })()
      // The first pull waits for a worker's query.
      await Promise.all([writer.sdk.sync(), listener.sdk.sync()])
      await until(() => heard.includes('complete'))

      writer.sdk.models.Note.createMany(TEXTS.map(text => ({ text })))
      await writer.sdk.sync()
      const admin = await AdminClient.login({ url: other.url, login: 'admin', password: ADMIN_PASSWORD })
      const states = async (state: 'queued' | 'in_doubt') => (await admin.operations.undecided({ state })).length
      await until(() => calls('begin').includes('held'))
      // The push is answered while most of its changes wait for a worker.
      expect(await states('queued')).toBe(TEXTS.length - 3)
      await first.kill('SIGKILL')

      rmSync(join(folder.path, 'hold'))
      await work()
      // The killed worker's job is released when its lease expires.
      const isFreed = async () => (await states('queued')) === 0 && (await states('in_doubt')) === 1
      await until(isFreed, { every: 50, within: 110_000 })
      await until(() => calls('end').length === TEXTS.length - 1)
      expect([...calls('begin')].sort()).toEqual([...TEXTS].sort())
      // The listener syncs without a sync call.
      await until(() => listener.texts().length === TEXTS.length - 1)
      expect(listener.texts()).not.toContain('held')

      const [doubtful] = await admin.operations.undecided({ state: 'in_doubt' })
      await admin.operations.retry(doubtful?.id ?? '')
      await until(() => listener.texts().length === TEXTS.length)
      expect([...listener.texts()].sort()).toEqual([...TEXTS].sort())
      expect(calls('end').filter(text => text === 'held')).toEqual(['held'])
    }, 120_000)

    test('a worker that is told to stop ends with 0, and the next one goes on', async () => {
      const server = await serve()
      const first = await work()
      const { sdk } = await deviceAt(server.url, 'writer')
      await sdk.sync()
      sdk.models.Note.createMany(TEXTS.map(text => ({ text })))
      await sdk.sync()
      await until(() => calls('begin').includes('held'))
      first.child.kill('SIGTERM')
      expect(await first.exit).toEqual({ code: 0, signal: null })
      rmSync(join(folder.path, 'hold'))
      await work()
      await until(() => calls('end').length >= TEXTS.length - 1)
      expect([...calls('begin')].sort()).toEqual([...TEXTS].sort())
    }, 120_000)
  })
