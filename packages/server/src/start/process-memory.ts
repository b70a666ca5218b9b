import type { Log } from '@godwit/source'
import type { Store } from '@godwit/store'
import { EventLoopTurns } from '../accounts/quota/event-loop-turns.js'
import { LargePages } from '../accounts/quota/large-pages.js'
import { ReplyBudget } from '../accounts/quota/reply-budget.js'
import { ObjectReadings } from '../backend/changes/object-readings.js'
import { StaleSources } from '../backend/feeds/stale-sources.js'
import { AccessCache } from '../backend/partitions/access-cache.js'
import { QueryRuns } from '../backend/query/query-runs.js'
import { ChangeAnnouncer } from '../backend/sources/change-announcer.js'
import type { Limits } from '../base/limits.js'
import { RecentMap } from '../base/recent-map.js'
import { ServerTimers } from '../base/server-timers.js'
import { ReaderRecorder } from '../device/pull/reader-recorder.js'
import { AbandonedCalls } from '../device/push/abandoned-calls.js'
import { CallConcurrency } from '../device/push/call-concurrency.js'
import { EventLoopShare } from '../device/push/event-loop-share.js'
import { UnsettledAnswers } from '../device/push/unsettled-answers.js'

/** Milliseconds after which the description of an inactive collection may be read again. */
const DESCRIBED = 24 * 3_600_000
const MAX_DESCRIBED = 100_000

/** Creates the in-memory state of a starting process. Losing it costs a call, a write or a mutation in doubt, not data. */
export function processMemory(options: {
  readonly store: Store
  readonly clock: () => number
  readonly log: Log
  readonly limits: Limits
  readonly stopping: AbortSignal
}) {
  const eventLoopTurns = new EventLoopTurns()
  return {
    readerRecorder: new ReaderRecorder(options),
    abandonedCalls: new AbandonedCalls(options.clock),
    callConcurrency: new CallConcurrency(),
    eventLoopShare: new EventLoopShare(),
    unsettledAnswers: new UnsettledAnswers(options),
    queryRuns: new QueryRuns(options.stopping),
    eventLoopTurns,
    largePages: new LargePages(eventLoopTurns),
    replyBudget: new ReplyBudget(),
    timers: new ServerTimers(options.stopping),
    changes: new ChangeAnnouncer(options),
    objectReadings: new ObjectReadings(),
    staleSources: new StaleSources(),
    accessCache: new AccessCache(options),
    described: new RecentMap<true>({ clock: options.clock, idle: DESCRIBED, capacity: MAX_DESCRIBED }),
  }
}
