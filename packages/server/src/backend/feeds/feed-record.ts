import type { JsonValue } from '@godwit/protocol'
import type { RecordValue, Store } from '@godwit/store'
import { feedRecord, PROOF } from '../sources/record-proof.js'

type FeedStore = Pick<Store, 'registry' | 'now'>

/** What the store has of a feed. Times are in milliseconds since 1970, by the store's clock. */
export interface FeedState {
  /** The cursor of the last applied batch; `null`: none. */
  readonly cursor: string | null
  /** The fence of the last process that took over; 0: none yet. */
  readonly fence: number
  /** Member of the record → proof. */
  readonly proofs: ReadonlyMap<string, string>
  /** The sources whose partitions the cursor covers. */
  readonly sources: readonly string[]
  /** When a process first took over. */
  readonly startedAt: number | undefined
  readonly heartbeatAt: number | undefined
  /** When a batch was last applied. */
  readonly appliedAt: number | undefined
  /** Seconds from the commit in the backend to the end of the last batch with a known time. */
  readonly lag: number | undefined
  readonly waitingRows: number | undefined
  readonly waitingBytes: number | undefined
  /** How often the feed was opened again after an error. */
  readonly restarts: number
  /** The message of the last error since a batch or heartbeat, for operators. */
  readonly error: string | undefined
}

const CURSOR = 'cursor:'
/** A registry treats null as absent. */
const NONE = ''

const cursorMember = (fence: number): string => `${CURSOR}${fence}`

/** The fence of the member with the cursor that counts: the highest. Members of earlier holders have no effect. */
const fencesIn = (value: RecordValue): readonly number[] =>
  Object.keys(value)
    .filter(name => name.startsWith(CURSOR))
    .map(name => Number(name.slice(CURSOR.length)))
    .sort((one, other) => other - one)

export async function readFeed({ registry }: Pick<Store, 'registry'>, name: string): Promise<FeedState> {
  return stateOf((await registry.get('server', feedRecord(name)))?.value ?? {})
}

function stateOf(value: RecordValue): FeedState {
  const [fence = 0] = fencesIn(value)
  const cursor = textOf(value[cursorMember(fence)])
  const proofs = Object.entries(value).filter(([name]) => name.startsWith(PROOF))
  return {
    cursor: cursor === undefined || cursor === NONE ? null : cursor,
    fence,
    proofs: new Map(proofs.map(([name, proof]) => [name, String(proof)])),
    sources: Array.isArray(value['sources']) ? value['sources'].map(String) : [],
    startedAt: numberOf(value['startedAt']),
    heartbeatAt: numberOf(value['heartbeatAt']),
    appliedAt: numberOf(value['appliedAt']),
    lag: numberOf(value['lag']),
    waitingRows: numberOf(value['waitingRows']),
    waitingBytes: numberOf(value['waitingBytes']),
    restarts: numberOf(value['restarts']) ?? 0,
    error: textOf(value['error']),
  }
}

const numberOf = (value: JsonValue | undefined): number | undefined => (typeof value === 'number' ? value : undefined)
const textOf = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined)

/** Takes a feed over under a fence: cursors that earlier holders store from now on have no effect. Returns undefined if a later holder is there. */
export async function takeOver(store: FeedStore, name: string, fence: number): Promise<FeedState | undefined> {
  const { registry } = store
  const id = feedRecord(name)
  await registry.create('server', { id, value: { startedAt: await store.now() } })
  const value = (await registry.get('server', id))?.value ?? {}
  const before = stateOf(value)
  if (before.fence > fence) return undefined
  const older = fencesIn(value).filter(one => one !== fence)
  const change = Object.fromEntries(older.map(one => [cursorMember(one), null]))
  const startedAt = before.startedAt === undefined ? { startedAt: await store.now() } : {}
  const merged = await registry.merge('server', id, {
    ...{ ...change, ...startedAt },
    [cursorMember(fence)]: before.cursor ?? NONE,
  })
  const after = merged && stateOf(merged.value)
  return after?.fence === fence ? after : undefined
}

/** The part of a record that the holder writes with a step. */
export interface FeedStep {
  readonly fence: number
  /** Absent: the cursor stays. */
  readonly cursor?: string
  readonly status: RecordValue
  /** The members of the proofs that the cursor replaces. */
  readonly proofs: readonly string[]
}

/**
 * Stores a step of the holder. Returns false if a later holder took over or the store was emptied: the cursor then has no effect. Proofs are removed only
 * after that check, so that a later holder with an older cursor still has them.
 */
export async function storeStep(
  { registry }: Pick<Store, 'registry'>,
  name: string,
  { fence, cursor, status, proofs }: FeedStep,
): Promise<boolean> {
  const id = feedRecord(name)
  const moved = cursor === undefined ? {} : { [cursorMember(fence)]: cursor }
  const merged = await registry.merge('server', id, { ...status, ...moved })
  if (merged === undefined || stateOf(merged.value).fence !== fence) return false
  if (proofs.length > 0) await registry.merge('server', id, Object.fromEntries(proofs.map(proof => [proof, null])))
  return true
}
