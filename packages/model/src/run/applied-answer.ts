import type { Refusal } from '../definition/reported-changes.js'
import type { SdkEvent } from '../events/sdk-events.js'

/** The result of applying an answer, reported after the commit. */
export interface AppliedAnswer {
  /** True if the request was invalidated meanwhile; nothing was stored. */
  readonly stale: boolean
  readonly events: readonly SdkEvent[]
  readonly refusals: readonly Refusal[]
  /** True if the pass has ended and the checksum differs from the server's. */
  readonly differs?: boolean
}

/** The result for an answer that came too late; nothing was stored. */
export const STALE: AppliedAnswer = { stale: true, events: [], refusals: [] }
