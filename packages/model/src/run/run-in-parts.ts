import type { SdkEvent } from '../events/sdk-events.js'
import type { SyncContext } from './sync-context.js'

/** Milliseconds per transaction, between which the thread does other work. */
const PART_MS = 25

/** Whether a part took long enough. */
export type IsOver = () => boolean

/** What became of one part. */
interface Part {
  readonly isLast: boolean
  /** Emitted after the commit. */
  readonly events: readonly SdkEvent[]
}

/** Does long work in short transactions, yielding the thread in between, until it is done or stopped. */
export async function runInParts(
  { database, events }: Pick<SyncContext, 'database' | 'events'>,
  signal: Pick<AbortSignal, 'aborted'>,
  run: (isOver: IsOver) => Part,
): Promise<void> {
  for (;;) {
    const until = Date.now() + PART_MS
    const part = database.transaction(() => run(() => Date.now() >= until))
    for (const event of part.events) events.emit(event)
    if (part.isLast) return
    await new Promise(resolve => setTimeout(resolve))
    if (signal.aborted) return
  }
}
