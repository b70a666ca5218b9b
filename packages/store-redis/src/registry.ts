import type { RecordKind, RecordValue, Registry, RegistryRecord } from '@godwit/store'
import { attributesText, parseAttributes, patchText, recordEnd } from '@godwit/store/history'
import type { RedisConnection } from './connection.js'
import type { RecordKey } from './keys.js'
import { afterText, pairRange, rangeBounds } from './names.js'
import type { RedisReply } from './redis-handle.js'
import {
  countRecordsScript,
  createRecordScript,
  deleteOwnedScript,
  deleteRecordScript,
  getRecordScript,
  listRecordsScript,
  mergeRecordScript,
} from './scripts/records.js'
import type { Script } from './scripts/script.js'

/** How many records one step deletes, lists and counts. */
const BATCH_SIZE = 75
const PAGE_SIZE = 250
const COUNT_BATCH_SIZE = 2000

type RunScript = (
  kind: RecordKind,
  script: Script<RecordKey>,
  values: readonly (string | number | boolean | undefined)[],
) => Promise<RedisReply>

export function redisRegistry(connection: RedisConnection): Registry {
  const run: RunScript = (kind, script, values) => connection.run(script, connection.keys.records(kind), values)
  return {
    create: async (kind, { id, value, owner, expiresAt }) => {
      const ends = recordEnd(expiresAt)
      const given = [id.toWellFormed(), attributesText(value), owner !== undefined, owner?.toWellFormed(), ends]
      return (await run(kind, createRecordScript, given)) === 1
    },
    get: async (kind, id) => recordOf(await run(kind, getRecordScript, [id.toWellFormed()])),
    merge: async (kind, id, change, { expiresAt } = {}) =>
      recordOf(await run(kind, mergeRecordScript, [id.toWellFormed(), patchText(change), recordEnd(expiresAt)])),
    delete: async (kind, id) => (await run(kind, deleteRecordScript, [id.toWellFormed()])) === 1,
    ...manyRecords(run),
  }
}

const manyRecords = (run: RunScript): Pick<Registry, 'deleteOwned' | 'list' | 'count' | 'countEach'> => ({
  deleteOwned: async (kind, owner) => {
    for (let gone = 0; ; ) {
      const step = await untilPurged(() => run(kind, deleteOwnedScript, [...rangeOf(owner), BATCH_SIZE]))
      gone += Number(step)
      if (Number(step) < BATCH_SIZE) return gone
    }
  },
  list: async (kind, { owner, after, limit }) => {
    const records: RegistryRecord[] = []
    for (let from = after; ; ) {
      const most = Math.min(limit - records.length, PAGE_SIZE)
      const listed = await untilPurged(() => run(kind, listRecordsScript, [...rangeOf(owner, from), most]))
      const found = listed as readonly RedisReply[]
      records.push(...found.flatMap(record => recordOf(record) ?? []))
      if (found.length < most || records.length >= limit) return records
      from = records.at(-1)?.id
    }
  },
  count: (kind, owner) => count(run, kind, owner),
  // Sent together, in one round trip.
  countEach: (kind, owners) => Promise.all(owners.map(owner => count(run, kind, owner))),
})

async function count(run: RunScript, kind: RecordKind, owner: string | undefined): Promise<number> {
  for (let count = 0, from: string | undefined; ; ) {
    const bounds = owner === undefined ? ['', ''] : rangeOf(owner, from)
    const answer = await untilPurged(() => run(kind, countRecordsScript, [...bounds, COUNT_BATCH_SIZE]))
    const [counted, last] = answer as readonly [number, string | null]
    count += counted
    if (last === null) return count
    from = last
  }
}

const rangeOf = (owner: string | undefined, after?: string): readonly [first: string, last: string] =>
  owner === undefined
    ? rangeBounds('i', { min: afterText(after), max: '+' })
    : rangeBounds('o', pairRange(owner, after))

/** Repeats a call: scripts return null after they purged a batch of expired records and more are left. */
async function untilPurged(ask: () => Promise<RedisReply>): Promise<RedisReply> {
  for (;;) {
    const answer = await ask()
    if (answer !== null) return answer
  }
}

type ListedRecord = readonly [id: string, text: string, owner: string | null, expiresAt: number | null]

function recordOf(reply: RedisReply): RegistryRecord | undefined {
  if (reply === null) return undefined
  const [id, text, owner, expiresAt] = reply as unknown as ListedRecord
  const value: RecordValue = parseAttributes(text)
  return { id, value, ...(owner !== null && { owner }), ...(expiresAt !== null && { expiresAt }) }
}
