import type { JsonValue } from '@godwit/protocol'
import type { UndecidedCursor } from '@godwit/store'
import { forgetBlobs } from '../blobs/forget-blobs.js'
import type { Engine } from '../engine.js'
import { DRAIN_CHANNEL } from '../sources/channels.js'
import { messageOf } from '../sources/refusal.js'
import { compactAll } from './compact-all.js'
import { drainOrAsk } from './drain-collection.js'

const PAGE = 200
const COMPACTION = 10 * 60_000

/** Work that nobody waits for: settings that others changed, expired starts, journals that can go on, old tombstones. */
export interface Background {
  /** Ends it, and waits for what is under way. */
  stop(): Promise<void>
}

/** Starts the sweeps. They never keep the process alive. */
export function startBackground(engine: Engine): Background {
  const { clock, limits, log, store } = engine
  let compactedAt = clock()
  let turn: Promise<void> | undefined
  const sweep = async (): Promise<void> => {
    await engine.sources.refresh()
    await giveUpExpired(engine)
    await drainQueued(engine)
    if (clock() - compactedAt < COMPACTION) return
    compactedAt = clock()
    await compactAll(engine)
    await forgetBlobs(engine)
  }
  const run = (task: () => Promise<void>): Promise<void> =>
    task().catch(error => log.error({ error: messageOf(error) }, 'background work failed'))
  const timer = setInterval(() => {
    turn ??= run(sweep).finally(() => {
      turn = undefined
    })
  }, limits.sweepInterval * 1000).unref()
  const hints = store.events.subscribe(DRAIN_CHANNEL, event => void run(() => drainNamed(engine, event)))
  hints.catch(error => log.error({ error: messageOf(error) }, 'hints to drain are not heard'))
  return {
    async stop() {
      clearInterval(timer)
      await turn
      await hints.then(
        end => end(),
        () => {},
      )
    },
  }
}

/** Starts whose lease ran out: the process that made them is gone, and what the backend did is unknown. */
export async function giveUpExpired({ store, sources, clock }: Engine): Promise<void> {
  for (let after: UndecidedCursor | undefined; ; ) {
    const page = await store.journal.undecided({ state: 'started', after, limit: PAGE })
    for (const { collection, mutation, fence, attempts } of page) {
      const source = sources.find(collection.source)
      if (source === undefined) continue
      const release = source.idempotent
        ? { fence, to: 'queued' as const, retryAt: clock() + Math.min(60_000, 500 * 2 ** Math.min(attempts, 10)) }
        : {
            fence,
            to: 'in_doubt' as const,
            error: {
              code: 'in_doubt',
              message: 'The server stopped, or went back to a backup, while the backend may have been called.',
            },
          }
      await store.journal.release(collection, mutation.key, release)
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = { collection: last.collection, sequence: last.sequence }
  }
}

/** Every journal with queued mutations. */
export async function drainQueued(engine: Engine): Promise<void> {
  for (let after: UndecidedCursor | undefined; ; ) {
    const page = await engine.store.journal.undecided({ state: 'queued', after, limit: PAGE })
    const collections = new Map(
      page.map(({ collection }) => [JSON.stringify([collection.source, collection.partition]), collection]),
    )
    for (const collection of collections.values()) await drainOrAsk(engine, collection)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = { collection: last.collection, sequence: last.sequence }
  }
}

async function drainNamed(engine: Engine, event: JsonValue): Promise<void> {
  const { source, partition } = event as { readonly source?: unknown; readonly partition?: unknown }
  if (typeof source === 'string' && typeof partition === 'string') await drainOrAsk(engine, { source, partition })
}
