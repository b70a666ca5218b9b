import type { BackendEngine } from '../backend-engine.js'
import { FeedRunner, feedsOf } from './feed-runner.js'

/** The feeds that this process runs, or would run if another one ended. */
export interface Feeds {
  /** Ends them, and waits until the last batch is applied. */
  stop(): Promise<void>
}

/** Starts the feeds of all sources. Each runs in one process of the store at a time. */
export function startFeeds(engine: BackendEngine): Feeds {
  const runners = feedsOf(engine.sources.all()).map(({ feed, ...named }) => new FeedRunner(engine, feed, named))
  for (const runner of runners) runner.start()
  return { stop: async () => void (await Promise.all(runners.map(runner => runner.stop()))) }
}
