import type { RecordKind, RecordValue, Registry, RegistryRecord } from '@godwit/store'
import { attributesText, parseAttributes, patchText } from '@godwit/store/history'
import type { Connection } from './connection.js'
import type { RecordKey } from './keys.js'
import { afterText, pairRange, type Range } from './names.js'
import type { Reply } from './redis-handle.js'
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

/** So many records go in one step. */
const STEP = 500

type Run = (
  kind: RecordKind,
  script: Script<RecordKey>,
  values: readonly (string | number | boolean | undefined)[],
) => Promise<Reply>

export function redisRegistry(connection: Connection): Registry {
  const run: Run = (kind, script, values) => connection.run(script, connection.keys.records(kind), values)
  return {
    create: async (kind, { id, value, owner, expiresAt }) => {
      const given = [id.toWellFormed(), attributesText(value), owner !== undefined, owner?.toWellFormed(), expiresAt]
      return (await run(kind, createRecordScript, given)) === 1
    },
    get: async (kind, id) => recordOf(await run(kind, getRecordScript, [id.toWellFormed()])),
    merge: async (kind, id, change, { expiresAt } = {}) =>
      recordOf(await run(kind, mergeRecordScript, [id.toWellFormed(), patchText(change), expiresAt])),
    delete: async (kind, id) => (await run(kind, deleteRecordScript, [id.toWellFormed()])) === 1,
    ...manyRecords(run),
  }
}

const manyRecords = (run: Run): Pick<Registry, 'deleteOwned' | 'list' | 'count'> => ({
  deleteOwned: async (kind, owner) => {
    const { min, max } = pairRange(owner)
    let gone = 0
    for (;;) {
      const step = await untilPurged(() => run(kind, deleteOwnedScript, [min, max, STEP]))
      gone += Number(step)
      if (Number(step) < STEP) return gone
    }
  },
  list: async (kind, { owner, after, limit }) => {
    const { min, max } = rangeOf(owner, after)
    const listed = await untilPurged(() => run(kind, listRecordsScript, [owner !== undefined, min, max, limit]))
    return (listed as readonly Reply[]).flatMap(record => recordOf(record) ?? [])
  },
  count: async (kind, owner) => {
    const { min, max } = rangeOf(owner)
    return Number(await untilPurged(() => run(kind, countRecordsScript, [owner !== undefined, min, max])))
  },
})

const rangeOf = (owner: string | undefined, after?: string): Range =>
  owner === undefined ? { min: afterText(after), max: '+' } : pairRange(owner, after)

/** Nothing is answered while many expired records have yet to go. */
async function untilPurged(ask: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const answer = await ask()
    if (answer !== null) return answer
  }
}

type Shown = readonly [id: string, text: string, owner: string | null, expiresAt: number | null]

function recordOf(reply: Reply): RegistryRecord | undefined {
  if (reply === null) return undefined
  const [id, text, owner, expiresAt] = reply as unknown as Shown
  const value: RecordValue = parseAttributes(text)
  return { id, value, ...(owner !== null && { owner }), ...(expiresAt !== null && { expiresAt }) }
}
