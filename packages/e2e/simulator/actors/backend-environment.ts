/** What becomes of a call: `After`: the backend did it first. */
export type CallOutcome = 'works' | 'refuses' | 'fails' | 'failsAfter' | 'hangs' | 'hangsAfter'
export type QueryOutcome = 'works' | 'fails' | 'breaksOff' | 'nonsense' | 'nothing' | 'hangs'

/** What a backend takes from its world. */
export interface BackendEnvironment {
  readonly now: () => number
  /** Resolves at some time. */
  readonly delay: (what: string) => Promise<void>
  readonly callOutcome: () => CallOutcome
  /** The delay of a query that returns this number of objects. */
  readonly queryOutcome: (count: number) => QueryOutcome
  /** Told where a source whose interval may change is queried. */
  readonly queryBegins: (source: string, partition: string) => Promise<void>
  /** A whole number below. */
  readonly below: (limit: number) => number
  readonly note: (text: string) => void
  /** Whether an object of the collection names this photo. */
  readonly isNamed: (source: string, partition: string, photo: string) => boolean
  readonly violated: (promise: string, found: string) => void
  /** Told that something was done once more under its key. */
  readonly doneTwice: (key: string, source: string) => void
}
