import type { FeedInfo } from '@godwit/protocol'
import type { BackendEngine } from '../backend-engine.js'
import { type FeedState, readFeed } from './feed-record.js'
import { feedsOf } from './feed-runner.js'

/** What the state of feeds is read with. */
export type ReportEngine = Pick<BackendEngine, 'store' | 'sources' | 'limits'>

const MAX_CURSOR = 200

/** Returns the state of every feed, as the store has it: the same in all processes. */
export async function feedReports({ store, sources, limits }: ReportEngine): Promise<readonly FeedInfo[]> {
  const feeds = feedsOf(sources.all())
  if (feeds.length === 0) return []
  const now = await store.now()
  return Promise.all(
    feeds.map(async ({ name, sources: shared }) => {
      const state = await readFeed(store, name)
      return reportOf(name, [...shared.keys()].sort(), state, now - limits.feedSilence * 1000)
    }),
  )
}

/** Returns a sentence for each feed that has not proved for too long that it is up to date, with what to do. */
export async function feedWarnings(engine: ReportEngine): Promise<readonly string[]> {
  const stale = (await feedReports(engine)).filter(({ stale_since }) => stale_since !== null)
  return stale.map(
    // Without the error, which may have addresses or statements: anybody may read the warnings of /readyz.
    ({ name, stale_since }) =>
      `The feed ${name} is silent since ${stale_since}: devices do not get what changes in the backend. See why: godwit feeds.`,
  )
}

function reportOf(name: string, sources: readonly string[], state: FeedState, oldest: number): FeedInfo {
  const { cursor, startedAt, heartbeatAt, appliedAt, lag, waitingRows, waitingBytes, restarts, error } = state
  const proved = heartbeatAt ?? startedAt
  const isStale = proved !== undefined && proved < oldest
  return {
    name,
    sources,
    stale_since: isStale ? timeText(proved) : null,
    heartbeat_at: timeText(heartbeatAt),
    applied_at: timeText(appliedAt),
    lag: lag ?? null,
    waiting_rows: waitingRows ?? null,
    waiting_bytes: waitingBytes ?? null,
    restarts,
    error: error ?? null,
    todo: todoOf(error, isStale),
    cursor: cursor === null ? null : cursor.slice(0, MAX_CURSOR),
  }
}

const REOPENED = 'The feed is opened again by itself, with pauses of up to 30 seconds.'

/** Errors of feeds say themselves what to do, where that is known. */
function todoOf(error: string | undefined, isStale: boolean): string | null {
  if (error !== undefined) return `Remove the cause of the error. ${REOPENED}`
  if (!isStale) return null
  return 'Check that the backend can be reached and written, and that a server process runs whose log names the feed.'
}

const timeText = <Time extends number | undefined>(time: Time) =>
  (time === undefined ? null : new Date(time).toISOString()) as Time extends number ? string : string | null
