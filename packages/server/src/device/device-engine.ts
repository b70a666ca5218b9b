import type { EventLoopTurns } from '../accounts/quota/event-loop-turns.js'
import type { LargePages } from '../accounts/quota/large-pages.js'
import type { QuotaMetrics } from '../accounts/quota/quota-exceeded.js'
import type { BackendEngine, QueryMetrics } from '../backend/backend-engine.js'
import type { ReaderRecorder } from './pull/reader-recorder.js'
import type { AbandonedCalls } from './push/abandoned-calls.js'
import type { CallConcurrency } from './push/call-concurrency.js'
import type { EventLoopShare } from './push/event-loop-share.js'
import type { UnsettledAnswers } from './push/unsettled-answers.js'

/** What serves devices. */
export interface DeviceEngine extends BackendEngine {
  readonly readerRecorder: ReaderRecorder
  readonly abandonedCalls: AbandonedCalls
  readonly callConcurrency: CallConcurrency
  readonly eventLoopShare: EventLoopShare
  readonly unsettledAnswers: UnsettledAnswers
  /** Shares the event loop between users. */
  readonly eventLoopTurns: EventLoopTurns
  readonly largePages: LargePages
  readonly metrics: QueryMetrics & QuotaMetrics & DeviceMetrics
}

interface Distribution {
  observe(value: number): void
}

/** Sizes and durations of what devices ask for. */
export interface DeviceMetrics {
  /** Seconds. */
  readonly pull: Distribution
  /** Seconds. */
  readonly push: Distribution
  readonly pageRows: Distribution
}
