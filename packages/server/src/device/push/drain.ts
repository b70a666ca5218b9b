import type { Source } from '@godwit/source'
import type { CollectionId, JournalEntry } from '@godwit/store'
import { chargeRefused } from '../blobs/blob-quota.js'
import type { DeviceEngine } from '../device-engine.js'
import { type MutationRun, type RunResult, runMutation } from './run-mutation.js'

/** Content of mutations by key, for sources whose journal stores none. */
export type ContentByKey = ReadonlyMap<string, NonNullable<MutationRun['content']>>

/** Options of a drain, from the push or worker that starts it. */
export interface DrainContext {
  readonly contents?: ContentByKey | undefined
  readonly onSettled?: MutationRun['onSettled']
  readonly waitingClient?: MutationRun['waitingClient']
  /** After its abort, no further mutation is started. */
  readonly ending?: AbortSignal | undefined
}

/**
 * Runs entries in order, those of different objects concurrently, in rounds until no more can run. Entries that are blocked or wait stay in the
 * journal.
 */
export async function drain(
  engine: DeviceEngine,
  source: Source,
  entries: readonly JournalEntry[],
  draining: DrainContext = {},
): Promise<void> {
  await runRounds(engine, source, entries, draining)
  await chargeRefused(engine, entries)
}

async function runRounds(
  engine: DeviceEngine,
  source: Source,
  entries: readonly JournalEntry[],
  draining: DrainContext,
): Promise<void> {
  let waiting = entries
  let blocked: readonly JournalEntry[] = []
  while (waiting.length > 0 && !isOver(engine, draining)) {
    const { now, later } = splitRound(waiting)
    const ran = await runAll(engine, source, now, draining)
    if (ran.includes('put_off')) return
    blocked = [...blocked, ...now.filter((_, index) => ran[index] === 'blocked')]
    // A blocked mutation blocks only its client's later mutations of the object, not those of other clients.
    const lines = new Set(blocked.map(lineOf))
    blocked = [...blocked, ...later.filter(entry => lines.has(lineOf(entry)))]
    waiting = later.filter(entry => !lines.has(lineOf(entry)))
    if (!ran.includes('decided')) continue
    waiting = [...blocked, ...waiting].sort((a, b) => a.sequence - b.sequence)
    blocked = []
  }
}

/** The mutations of one client on one object run in order. */
const lineOf = ({ client, mutation: { object } }: JournalEntry): string => JSON.stringify([client, object])

const isOver = ({ stopping }: DeviceEngine, { ending }: DrainContext): boolean =>
  stopping.aborted || ending?.aborted === true

/** Splits off the first mutation of each object, unless one of its owners has an earlier mutation in the list. */
function splitRound(entries: readonly JournalEntry[]): {
  now: readonly JournalEntry[]
  later: readonly JournalEntry[]
} {
  const busy = new Set<string>()
  const now: JournalEntry[] = []
  const later: JournalEntry[] = []
  for (const entry of entries) {
    const { object, owners = [] } = entry.mutation
    const isFree = !busy.has(object) && !owners.some(owner => busy.has(owner))
    busy.add(object)
    ;(isFree ? now : later).push(entry)
  }
  return { now, later }
}

const UNCONFIRMED_CALLS = 'calls to a source are delayed: too few replicas of the store confirmed them in time'

async function runAll(
  engine: DeviceEngine,
  source: Source,
  entries: readonly JournalEntry[],
  draining: DrainContext,
): Promise<readonly RunResult[]> {
  const results: RunResult[] = new Array<RunResult>(entries.length).fill('waiting')
  let [next, isPutOff] = [0, false]
  const mayContinue = () => !isPutOff && !isOver(engine, draining)
  const worker = async (): Promise<void> => {
    for (let index = next++; index < entries.length && mayContinue(); index = next++) {
      const entry = entries[index] as JournalEntry
      const running = {
        content: draining.contents?.get(entry.mutation.key),
        onSettled: draining.onSettled,
        waitingClient: draining.waitingClient,
      }
      await engine.eventLoopShare.pause()
      if (!mayContinue()) return
      results[index] = await runMutation(engine, source, entry, running)
      isPutOff ||= results[index] === 'put_off'
    }
  }
  const { drainConcurrency } = engine.limits
  // Calls that start together share commits, which do not exist in a store that never waits.
  const together = engine.eventLoopShare.storeWaits
    ? engine.callConcurrency.of(source, drainConcurrency)
    : drainConcurrency
  const workers = Math.min(together, entries.length)
  await Promise.all(Array.from({ length: workers }, worker))
  if (isPutOff) engine.log.warn({ source: source.name }, UNCONFIRMED_CALLS)
  return results
}

/** The number of entries searched for ones that a settlement unblocked. */
const MAX_FREED = 200

/**
 * Runs mutations of other requests that waited for these objects, since the drain that found them blocked has ended. If the journal stores no
 * content, only the request that sent a mutation can run it.
 */
export async function drainFreed(
  engine: DeviceEngine,
  source: Source,
  collection: CollectionId,
  { drained, ending }: { readonly drained: readonly JournalEntry[]; readonly ending?: AbortSignal | undefined },
): Promise<void> {
  if (source.passThrough || isOver(engine, { ending })) return
  const keys = new Set(drained.map(({ mutation }) => mutation.key))
  const objects = new Set(drained.map(({ mutation }) => mutation.object))
  const freed: JournalEntry[] = []
  for (let read = 0, after: number | undefined; freed.length === 0 && read < MAX_FREED; ) {
    const queued = await engine.store.journal.queued(collection, { after, limit: MAX_FREED - read })
    if (queued.length === 0) break
    freed.push(...queued.filter(({ mutation }) => objects.has(mutation.object) && !keys.has(mutation.key)))
    after = queued.at(-1)?.sequence
    read += queued.length
  }
  if (freed.length === 0) return
  await drain(engine, source, freed, { ending })
  await drainFreed(engine, source, collection, { drained: [...drained, ...freed], ending })
}
