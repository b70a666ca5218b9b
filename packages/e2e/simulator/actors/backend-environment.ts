import type { BackendCall } from '../checks/judgement.js'
import type { SourcePlan } from '../world/plan.js'

/** The outcome of a call. `After`: the backend performed it first. */
export type CallOutcome = 'works' | 'refuses' | 'fails' | 'failsAfter' | 'hangs' | 'hangsAfter'
export type QueryOutcome = 'works' | 'fails' | 'breaksOff' | 'nonsense' | 'nothing' | 'hangs'

/** The part of the world that a backend depends on. */
export interface BackendEnvironment {
  readonly now: () => number
  /** Resolves at some later moment. */
  readonly delay: (what: string) => Promise<void>
  readonly callOutcome: () => CallOutcome
  /** The delay of a query that returns this number of objects. */
  readonly queryOutcome: (count: number) => QueryOutcome
  /** Called when a call of this key reaches a source. */
  readonly callBegins: (source: SourcePlan, key: string, call: BackendCall) => void
  /** Called before a source with a variable poll interval is queried. */
  readonly queryBegins: (source: string, partition: string) => Promise<void>
  /** Returns an integer below the limit. */
  readonly below: (limit: number) => number
  readonly note: (text: string) => void
  /** Whether an object of the collection names this photo. */
  readonly isNamed: (source: string, partition: string, photo: string) => boolean
  readonly violated: (promise: string, found: string) => void
  /** Called when something was done again under its key. */
  readonly doneTwice: (key: string, source: string) => void
}
