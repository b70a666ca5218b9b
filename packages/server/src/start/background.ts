import { messageOf } from '@godwit/source'
import { startFeeds } from '../backend/feeds/start-feeds.js'
import { DueQueries, type ListeningEngine } from '../backend/query/due-queries.js'
import { awaitedQueries } from '../backend/query/request-query.js'
import { DRAIN_CHANNEL } from '../backend/sources/channels.js'
import { forgetSources } from '../backend/sources/forget-sources.js'
import { isUnavailable } from '../base/store-health.js'
import { forgetBlobs } from '../device/blobs/forget-blobs.js'
import type { DeviceEngine } from '../device/device-engine.js'
import { compactAll } from '../device/push/compact-all.js'
import { drainNamed, giveUpExpired, queuedDrains } from '../device/push/recover.js'

const COMPACTION = 10 * 60_000
/** Milliseconds between two looks at whether feeds are silent. */
const SILENCE_LOOK = 5_000

/** Periodic work: reloads settings, ends expired calls, drains journals, runs awaited first queries and those that are due, follows feeds, and removes old tombstones and blobs. */
export interface Background {
  /** Stops the timers, and waits for work in progress. */
  stop(): Promise<void>
}

/** Starts the periodic work. It never keeps the process alive. */
export function startBackground(engine: DeviceEngine & ListeningEngine): Background {
  const { clock, limits, log, store } = engine
  const drains = queuedDrains(engine)
  const queries = awaitedQueries(engine)
  const dueQueries = new DueQueries(engine)
  dueQueries.start()
  const feeds = startFeeds(engine)
  let compactedAt = clock()
  let wasUnavailable = false
  const sweep = async (): Promise<void> => {
    await engine.sources.refresh()
    // Processes with unsettled answers settle them before others end their calls as expired.
    const wasAway = wasUnavailable
    wasUnavailable = false
    if (wasAway) await store.check()
    else await giveUpExpired(engine)
    begin(() => drains.run())
    const since = clock() - compactedAt
    // A time in the future is from before the clock was set back.
    if (since >= 0 && since < COMPACTION) return
    compactedAt = clock()
    await compactAll(engine)
    await forgetBlobs(engine)
    await forgetSources(engine)
  }
  const running = new Set<Promise<void>>()
  const run = (task: () => Promise<void>): Promise<void> =>
    task().catch(error => {
      wasUnavailable ||= isUnavailable(error)
      log.error({ error: messageOf(error) }, 'background work failed')
    })
  // Backends may take minutes: no sweep waits for them.
  const begin = (task: () => Promise<void>): void => {
    const work = run(task).finally(() => running.delete(work))
    running.add(work)
  }
  const sweeps = serialize(() => run(sweep))
  const timer = setInterval(() => {
    sweeps.begin()
    begin(() => queries.run())
    begin(() => dueQueries.addPending())
  }, limits.sweepInterval * 1000).unref()
  const silence = watchSilence(engine, task => run(task))
  const hints = store.events.subscribe(DRAIN_CHANNEL, event => begin(() => drainNamed(engine, event)))
  hints.catch(error => log.error({ error: messageOf(error) }, 'could not subscribe to drain hints'))
  return {
    async stop() {
      clearInterval(timer)
      await feeds.stop()
      await dueQueries.stop()
      await sweeps.end()
      await silence.stop()
      await Promise.all(running)
      await hints.then(
        end => end(),
        () => {},
      )
    },
  }
}

/** Tells listening devices when the feed of a source becomes silent, and when it is back. */
function watchSilence(engine: ListeningEngine, run: (task: () => Promise<void>) => Promise<void>): Background {
  if (engine.sources.all().every(({ feed }) => feed === undefined)) return { stop: async () => {} }
  const looks = serialize(() =>
    run(async () => {
      for (const source of await engine.staleSources.refresh(engine)) engine.hub.refresh(source)
    }),
  )
  looks.begin()
  const timer = setInterval(() => looks.begin(), SILENCE_LOOK).unref()
  return {
    async stop() {
      clearInterval(timer)
      await looks.end()
    },
  }
}

/** Runs one turn at a time, and skips turns that are requested meanwhile. */
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
