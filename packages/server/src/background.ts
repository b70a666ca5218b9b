import { forgetBlobs } from './blobs/forget-blobs.js'
import type { Engine } from './engine.js'
import { compactAll } from './push/compact-all.js'
import { drainNamed, drainQueued, giveUpExpired } from './push/recover.js'
import { runAwaitedQueries } from './query/request-query.js'
import { DRAIN_CHANNEL } from './sources/channels.js'
import { forgetSources } from './sources/forget-sources.js'
import { messageOf } from './sources/refusal.js'
import { isUnavailable } from './store-health.js'

const COMPACTION = 10 * 60_000

/** Periodic work: settings changed by other processes, expired starts, journals that can continue or wait for a query, old tombstones and blobs. */
export interface Background {
  /** Ends it, and waits for what is under way. */
  stop(): Promise<void>
}

/** Starts the sweeps. They never keep the process alive. */
export function startBackground(engine: Engine): Background {
  const { clock, limits, log, store } = engine
  let compactedAt = clock()
  let wasUnavailable = false
  const sweep = async (): Promise<void> => {
    await engine.sources.refresh()
    // Processes that know what backends answered settle it before others give their starts up.
    if (wasUnavailable) await store.check()
    else await giveUpExpired(engine)
    wasUnavailable = false
    await drainQueued(engine)
    const since = clock() - compactedAt
    // A time ahead of the clock is one of before it was set back.
    if (since >= 0 && since < COMPACTION) return
    compactedAt = clock()
    await compactAll(engine)
    await forgetBlobs(engine)
    await forgetSources(engine)
  }
  const run = (task: () => Promise<void>): Promise<void> =>
    task().catch(error => log.error({ error: messageOf(error) }, 'background work failed'))
  const sweeps = serialize(() =>
    run(() =>
      sweep().catch(error => {
        wasUnavailable = isUnavailable(error)
        throw error
      }),
    ),
  )
  // A backend may take minutes for a query: the other work does not wait.
  const queries = serialize(() => run(() => runAwaitedQueries(engine)))
  const timer = setInterval(() => {
    sweeps.begin()
    queries.begin()
  }, limits.sweepInterval * 1000).unref()
  const hints = store.events.subscribe(DRAIN_CHANNEL, event => void run(() => drainNamed(engine, event)))
  hints.catch(error => log.error({ error: messageOf(error) }, 'hints to drain are not heard'))
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all([sweeps.end(), queries.end()])
      await hints.then(
        end => end(),
        () => {},
      )
    },
  }
}

/** One turn at a time: who comes meanwhile is not needed. */
function serialize(run: () => Promise<void>) {
  let turn: Promise<void> | undefined
  return {
    begin(): void {
      turn ??= run().finally(() => {
        turn = undefined
      })
    },
    end: async (): Promise<void> => turn,
  }
}
