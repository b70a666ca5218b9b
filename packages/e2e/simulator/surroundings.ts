/** What becomes of a call: `After`: the backend did it first. */
export type Fate = 'works' | 'refuses' | 'fails' | 'failsAfter' | 'hangs' | 'hangsAfter'
export type QueryFate = 'works' | 'fails' | 'breaksOff' | 'nonsense' | 'nothing' | 'hangs'

/** What a backend takes from its world. */
export interface Surroundings {
  readonly now: () => number
  /** Resolves at some time. */
  readonly moment: (what: string) => Promise<void>
  readonly fate: () => Fate
  /** For so many objects. */
  readonly queryFate: (count: number) => QueryFate
  /** A whole number below. */
  readonly below: (limit: number) => number
  readonly note: (text: string) => void
  /** Whether an object of the collection names this photo. */
  readonly isNamed: (source: string, partition: string, photo: string) => boolean
  readonly violated: (promise: string, found: string) => void
  /** Told that something was done once more under its key. */
  readonly doneTwice: (key: string, source: string) => void
}
