import type { JsonValue } from '@godwit/protocol'
import type { UndecidedCursor } from '@godwit/store'
import { makeTargetDue } from '../../backend/partitions/other-partition.js'
import { QueuedWork } from '../../base/queued-work.js'
import type { DeviceEngine } from '../device-engine.js'
import { drainOrEnqueue } from './drain-collection.js'
import { reportDoubt } from './reports.js'

const PAGE = 200

/**
 * Ends calls whose lease expired: their process is gone, and the backend's result is unknown. Skips those whose answer this process has and is about
 * to settle.
 */
export async function giveUpExpired(engine: DeviceEngine): Promise<void> {
  const { store, sources, unsettledAnswers } = engine
  for (let after: UndecidedCursor | undefined; ; ) {
    const page = await store.journal.undecided({ state: 'started', after, limit: PAGE })
    for (const entry of page) {
      const { collection, mutation, fence, attempts } = entry
      const source = sources.find(collection.source)
      if (source === undefined || unsettledAnswers.has(entry)) continue
      const release = source.idempotent
        ? { fence, to: 'queued' as const, retryIn: Math.min(60_000, 500 * 2 ** Math.min(attempts, 10)) }
        : {
            fence,
            to: 'in_doubt' as const,
            error: {
              code: 'in_doubt',
              message: 'The server stopped, or went back to a backup, while the backend may have been called.',
            },
          }
      if (source.by !== undefined) await makeTargetDue(engine, source, entry)
      const released = await store.journal.release(collection, mutation.key, release)
      if (!('released' in released) || release.to !== 'in_doubt') continue
      reportDoubt(engine, entry, release.error)
      engine.objectReadings.serve(engine, { source, entry }, released.queryRequest)
    }
    const last = page.at(-1)
    if (last === undefined) return
    after = { collection: last.collection, sequence: last.sequence }
  }
}

/** Returns the work that drains every journal with queued mutations. */
export const queuedDrains = (engine: DeviceEngine): QueuedWork =>
  new QueuedWork(engine, ({ collection }) => drainOrEnqueue(engine, collection))

/** Drains the journal that a drain hint names. */
export async function drainNamed(engine: DeviceEngine, event: JsonValue): Promise<void> {
  const { source, partition } = event as { readonly source?: unknown; readonly partition?: unknown }
  if (typeof source === 'string' && typeof partition === 'string') await drainOrEnqueue(engine, { source, partition })
}
