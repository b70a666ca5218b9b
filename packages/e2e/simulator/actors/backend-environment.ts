import type { BackendCall } from '../checks/judgement.js'
import type { SourcePlan } from '../world/plan.js'

/** The outcome of a call. `After`: the backend performed the change before it failed or hung. */
export type CallOutcome = 'works' | 'refuses' | 'fails' | 'failsAfter' | 'hangs' | 'hangsAfter'
export type QueryOutcome = 'works' | 'fails' | 'breaksOff' | 'nonsense' | 'nothing' | 'hangs'

/** The part of the world that a backend depends on. */
export interface BackendEnvironment {
  readonly now: () => number
  /** Resolves at some later moment. */
  readonly delay: (what: string) => Promise<void>
  readonly callOutcome: () => CallOutcome
  /** Returns the outcome of a query that returns `count` objects. */
  readonly queryOutcome: (count: number) => QueryOutcome
  /** Called when a call of this key reaches a source. */
  readonly callBegins: (source: SourcePlan, key: string, call: BackendCall) => void
  /** Called before each query of a source with a variable poll interval. */
  readonly queryBegins: (source: string, partition: string) => Promise<void>
  /** Returns an integer below the limit. */
  readonly below: (limit: number) => number
  readonly note: (text: string) => void
  /** Whether an object of the collection refers to this photo. */
  readonly isNamed: (source: string, partition: string, photo: string) => boolean
  readonly violated: (promise: string, found: string) => void
  /** Called when a non-idempotent backend performed a key twice. */
  readonly doneTwice: (key: string, source: string) => void
}
