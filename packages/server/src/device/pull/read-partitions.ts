import type { PartitionPull } from '@godwit/protocol'
import { ConcurrencyLimiter } from '../../base/concurrency-limiter.js'
import type { DeviceEngine } from '../device-engine.js'
import type { PartitionEntries } from './partition-entries.js'
import { type PullContext, pullPage, pullPageNow } from './pull.js'

/** A pull of a partition with its context. */
export interface OpenPull {
  readonly pull: PartitionPull
  readonly context: PullContext
}

/** The most characters of pages, and milliseconds of reading, after which the remaining partitions are left to the next request. */
const MAX_BYTES = 1024 * 1024
const MAX_TIME = 100

/** Milliseconds that a response without anything new waits for queries. */
const MAX_WAIT = 10_000

/** The number of partitions that are read at once, and of those whose pass is not complete, which have large pages. */
const AT_ONCE = 64
const LARGE_AT_ONCE = 4

/** The number of queries of one request at once. */
const QUERIES = 8

/** Reads the pages that need no query, in the order of the request, until the response is full. Returns the pulls that wait for a query. */
export async function readNow(
  engine: DeviceEngine,
  entries: PartitionEntries,
  pulls: readonly OpenPull[],
): Promise<readonly OpenPull[]> {
  const waiting: OpenPull[] = []
  const end = performance.now() + MAX_TIME
  for (let next = 0; next < pulls.length; ) {
    const isFull = next > 0 && (entries.bytes >= MAX_BYTES || performance.now() >= end)
    const some = pulls.slice(next, isFull ? pulls.length : next + sizeOfGroup(pulls, next))
    next += some.length
    const read = async (one: OpenPull): Promise<void> => {
      const isRead = await entries.read(one.pull, () => pullPageNow(engine, one.context))
      if (!isRead) waiting.push(one)
    }
    if (isFull) for (const { pull } of some) entries.leave(pull)
    else await Promise.all(some.map(read))
  }
  return waiting
}

/** Returns how many pulls to read together: those that continue a complete copy have small pages as a rule. */
function sizeOfGroup(pulls: readonly OpenPull[], from: number): number {
  const firstLarge = pulls
    .slice(from, from + AT_ONCE)
    .findIndex(({ context: { position } }) => position.token?.over !== true)
  if (firstLarge < 0) return AT_ONCE
  return firstLarge > 0 ? firstLarge : LARGE_AT_ONCE
}

/**
 * Runs due queries and reads the pages after them. The response waits until all are done, but only for a short time once it has anything new; queries
 * that last longer go on, and their partitions are left to the next request.
 */
export async function readAfterQueries(
  engine: DeviceEngine,
  entries: PartitionEntries,
  waiting: readonly OpenPull[],
): Promise<void> {
  if (waiting.length === 0) return
  const limiter = new ConcurrencyLimiter(QUERIES)
  const open = new Set(waiting)
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  let isOver = false
  let isShort = entries.hasNews
  let stopTimer = engine.timers.start(end, isShort ? MAX_TIME : MAX_WAIT)
  const run = async (one: OpenPull): Promise<void> => {
    if (isOver) return
    const page = await entries.compute(() => pullPage(engine, one.context))
    if (isOver) return
    open.delete(one)
    entries.add(one.pull, page)
    if (isShort) return
    isShort = true
    stopTimer()
    stopTimer = engine.timers.start(end, MAX_TIME)
  }
  await Promise.race([Promise.all(waiting.map(one => limiter.run(() => run(one)))), over])
  isOver = true
  stopTimer()
  for (const { pull } of open) entries.leave(pull)
}
