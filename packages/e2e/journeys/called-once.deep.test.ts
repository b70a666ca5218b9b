import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AdminClient } from '@godwit/admin-client'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { askRedis, type RunningRedis, redisIsThere, startRedis, until } from '@godwit/testing'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { endAll, inRepository, start } from '../harness/process.js'
import { ADMIN_PASSWORD, startServer } from '../harness/server-process.js'
import { temporaryFolder } from '../harness/stores.js'
import { type Switchboard, switchboard } from '../harness/switchboard.js'

const models = { Note: defineModel('Note', { sync: 'incremental', attributes: { text: t.string() } }) }
const config = 'queued-notes.mjs'

let folder: ReturnType<typeof temporaryFolder>
const closers: (() => Promise<unknown>)[] = []
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(async () => {
  await endAll()
  for (const close of closers.splice(0).reverse()) await close()
  folder.remove()
})

async function board(port: number): Promise<Switchboard> {
  const made = await switchboard(port)
  closers.push(made.close)
  return made
}

async function redis(settings = {}): Promise<RunningRedis> {
  const made = await startRedis(settings)
  closers.push(made.stop)
  return made
}

/** Starts a primary, and a replica whose connection can be delayed so that it lags. After the fail-over, the new primary gets a replica too. */
async function replicated() {
  const primary = await redis()
  const line = await board(primary.port)
  const replica = await redis({ replicaof: `127.0.0.1 ${line.port}` })
  await until(async () => (await askRedis(primary, 'INFO replication')).includes('state=online'))
  const servers = await board(primary.port)
  return {
    store: `redis://127.0.0.1:${servers.port}`,
    async lag() {
      await askRedis(primary, 'SET written 1\r\nWAIT 1 0')
      line.hold()
    },
    async failOver() {
      await primary.stop()
      await askRedis(replica, 'REPLICAOF NO ONE')
      servers.pointTo(replica.port)
      await redis({ replicaof: `127.0.0.1 ${replica.port}` })
    },
  }
}

const work = async (environment: Record<string, string>) => {
  const worker = start(inRepository('apps/server/dist/godwit.js'), ['worker'], {
    SYNC_CONFIG: inRepository(`packages/e2e/harness/configs/${config}`),
    SYNC_ADMIN_PASSWORD: ADMIN_PASSWORD,
    NODE_ENV: undefined,
    ...environment,
  })
  await worker.line(/^godwit worker is ready$/m)
  return worker
}

/** Returns the finding of `godwit doctor` about replicas. */
async function doctorOn(store: string): Promise<{ readonly state: string } | undefined> {
  const doctor = start(inRepository('apps/server/dist/godwit.js'), ['doctor', '--json'], { SYNC_STORE: store })
  await doctor.exit
  const findings = JSON.parse(doctor.output().out) as readonly { readonly about: string; readonly state: string }[]
  return findings.find(({ about }) => about === 'replicas')
}

/** Returns the number of calls that the backend began or ended. */
const calls = (what: 'begin' | 'end'): number => {
  const file = join(folder.path, 'calls')
  return existsSync(file) ? readFileSync(file, 'utf8').split(`${what} `).length - 1 : 0
}

if (!redisIsThere()) test.skip('a fail-over needs a redis-server', () => undefined)
else {
  /** Queues a note on both Redis servers; then the replica lags, a worker takes the note, and the replica takes over before any device syncs. */
  async function history(
    environment: Record<string, string>,
    isOver: (log: () => string, store: string) => Promise<void>,
  ) {
    const { store, lag, failOver } = await replicated()
    const given = { SYNC_STORE: store, NOTES_FOLDER: folder.path, ...environment }
    const { url } = await startServer({ store, config, environment: { ...given, SYNC_WORKERS: 'false' } })
    const sdk = await openSdk({ directory: join(folder.path, 'device'), server: url, models, eventStream: false })
    closers.push(() => sdk.close())
    await sdk.login('ada', 'ada')
    await sdk.sync()
    sdk.models.Note.create({ text: 'the only one' })
    await sdk.sync()
    const admin = await AdminClient.login({ url, login: 'admin', password: ADMIN_PASSWORD })
    expect(await admin.operations.undecided({ state: 'queued' })).toHaveLength(1)
    await lag()
    const worker = await work(given)
    await isOver(() => worker.output().error, store)
    await failOver()
    const left = (state: 'queued' | 'in_doubt') => admin.operations.undecided({ state }).catch(() => ['no answer yet'])
    return async () => [...(await left('queued')), ...(await left('in_doubt'))].length === 0
  }

  test('a queued change that no replica confirms waits, shows in the doctor, and runs once after a fail-over', async () => {
    const isDecided = await history({}, async (log, store) => {
      await until(() => log().includes('are delayed: too few replicas'))
      await until(async () => (await doctorOn(store))?.state === 'warning')
    })
    expect(calls('begin')).toBe(0)
    await until(async () => calls('end') > 0 && (await isDecided()))
    expect(calls('begin')).toBe(1)
  })

  test('without the wait for replicas, a call is repeated after a fail-over', async () => {
    const isDecided = await history({ SYNC_REDIS_REPLICAS: '0' }, () => until(() => calls('end') > 0))
    await until(async () => calls('end') > 1 && (await isDecided()))
    expect(calls('begin')).toBe(2)
  })
}
