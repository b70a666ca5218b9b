import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Problem, PushOutcomes } from '@godwit/protocol'
import { defineSource } from '@godwit/server'
import { connectRedisStore } from '@godwit/store-redis'
import { askRedis, type RunningRedis, redisIsThere, startRedis, until } from '@godwit/testing'
import { afterEach, describe, expect, test } from '@jest/globals'
import { FILLER, fill, isPossible, smallDisks } from '../harness/small-disk.js'
import { type AttackWorld, openOn, read } from './world.js'

/** A condition in which Redis refuses writes, and its end. */
interface Shortage {
  readonly says: RegExp
  readonly isPossible?: boolean
  readonly settings?: (folder: string) => Readonly<Record<string, string>>
  readonly begin: (redis: RunningRedis, folder: string) => unknown
  readonly end: (redis: RunningRedis, folder: string) => unknown
}

const SHORTAGES: { readonly [name: string]: Shortage } = {
  'reached its maxmemory': {
    says: /full.*maxmemory/,
    begin: redis => askRedis(redis, 'CONFIG SET maxmemory 1'),
    end: redis => askRedis(redis, 'CONFIG SET maxmemory 0'),
  },
  'cannot write its append-only file, as the disk is full': {
    says: /cannot write.*disk/,
    isPossible,
    settings: dir => ({ dir, appendonly: 'yes', appendfsync: 'everysec' }),
    begin: (_, folder) => fill(folder),
    end: (_, folder) => rmSync(join(folder, FILLER)),
  },
  'cannot write its snapshots': {
    says: /cannot write.*disk/,
    isPossible,
    settings: dir => ({ dir, dbfilename: 'dump.rdb' }),
    begin: async (redis, folder) => {
      await askRedis(redis, 'CONFIG SET save "3600 1"')
      // Redis cannot replace a folder by its snapshot.
      mkdirSync(join(folder, 'dump.rdb'))
      await askRedis(redis, 'BGSAVE')
      await infoHas(redis, 'rdb_last_bgsave_status:err')
    },
    end: async (redis, folder) => {
      rmSync(join(folder, 'dump.rdb'), { recursive: true })
      await askRedis(redis, 'BGSAVE')
      await infoHas(redis, 'rdb_last_bgsave_status:ok')
    },
  },
}

/** Short intervals, so that a call whose result could not be written is soon retried. */
const LIMITS = { positionInterval: 0, callMargin: 0.1, sweepInterval: 0.1 }

async function infoHas(redis: RunningRedis, line: string): Promise<void> {
  await until(async () => (await askRedis(redis, 'INFO persistence')).includes(line))
}

if (!isPossible) process.stderr.write('A full disk under Redis is skipped: it takes a small one, as root on Linux.\n')

const disks = smallDisks()
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  disks.removeAll()
})

describe.each(Object.entries(SHORTAGES))('a Redis that %s', (_, shortage) => {
  const calls = new Map<string, number>()
  const Note = defineSource({
    name: 'Note',
    pollInterval: -1,
    idempotent: true,
    timeout: 1,
    create: (__, { idempotencyKey }) => void calls.set(idempotencyKey, (calls.get(idempotencyKey) ?? 0) + 1),
  })

  async function openServer({ url }: RunningRedis): Promise<AttackWorld> {
    const store = await connectRedisStore(url)
    const world = await openOn(store, () => store.close(), { sources: [Note], limits: LIMITS })
    closing.push(() => world.close())
    return world
  }

  const testHere = redisIsThere() && shortage.isPossible !== false ? test : test.skip

  testHere('refuses writes with a clear answer, loses nothing, and goes on once there is room', async () => {
    const folder = shortage.settings ? disks.make() : ''
    const redis = await startRedis(shortage.settings?.(folder))
    closing.push(() => redis.stop())
    const world = await openServer(redis)
    const { headers } = await world.caller('ada')
    const { epoch } = await read<Page>(await world.call('GET', '/app/v1/Note', headers))
    const push = (number: number): Promise<Response> => {
      const key = `key-${String(number).padStart(20, '0')}`
      const mutation = {
        number,
        key,
        operation: 'create',
        object: `n${number}`,
        attributes: { text: 'x'.repeat(2000) },
      }
      return world.call('POST', '/app/v1/Note', headers, { epoch, acknowledged: 0, mutations: [mutation] })
    }
    const pushUntilRefused = async (first: number): Promise<{ readonly last: number; readonly refusal: Response }> => {
      for (let number = first; ; number++) {
        const answer = await push(number)
        if (answer.status !== 200) return { last: number - 1, refusal: answer }
        expect((await read<PushOutcomes>(answer)).outcomes.at(-1)).toMatchObject({ number, status: 'applied' })
      }
    }
    for (let number = 1; number <= 3; number++) expect((await push(number)).status).toBe(200)
    await shortage.begin(redis, folder)
    const { last, refusal } = await pushUntilRefused(4)
    const problem = await read<Problem>(refusal)
    expect([refusal.status, problem.code]).toEqual([503, 'store_unavailable'])
    expect(problem.detail).toMatch(shortage.says)
    expect((await world.ask('/readyz')).status).toBe(503)
    expect(await (await world.ask('/metrics')).text()).toMatch(/^godwit_store_up 0$/m)
    const blocked = async (at: AttackWorld): Promise<readonly string[]> =>
      Object.keys((await read<Page>(await at.call('GET', '/app/v1/Note', headers))).insert ?? {}).sort()
    const upTo = (count: number): readonly string[] => Array.from({ length: count }, (__, at) => `n${at + 1}`).sort()
    expect(await blocked(world)).toEqual(upTo(last))
    const login = await world.call('POST', '/rc/v1/app/login', {}, { login: 'ada', password: 'secret' })
    expect([login.status, (await read<Problem>(login)).code]).toEqual([503, 'store_unavailable'])
    const restarted = await openServer(redis)
    expect(await blocked(restarted)).toEqual(upTo(last))
    await shortage.end(redis, folder)
    await until(async () => (await world.ask('/readyz')).status === 200)
    for (let number = last + 1; number <= last + 3; number++) expect((await push(number)).status).toBe(200)
    await until(async () => (await blocked(world)).length === last + 3)
    expect(await blocked(world)).toEqual(upTo(last + 3))
    expect(await blocked(restarted)).toEqual(upTo(last + 3))
    expect([calls.size, await world.serves()]).toEqual([last + 3, true])
  })
})
