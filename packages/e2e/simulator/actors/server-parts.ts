import type { Source } from '@godwit/server'
import type { Scheduler } from '../world/scheduler.js'
import type { StoreDisk } from '../world/store-disk.js'

/** What the server side takes from its world. */
export interface ServerParts {
  readonly storeDisk: StoreDisk
  readonly scheduler: Scheduler
  readonly clock: () => number
  readonly randomId: () => string
  // biome-ignore lint/suspicious/noExplicitAny: sources of any attributes
  readonly sources: () => readonly Source<any>[]
  /** What is another than usual. */
  readonly limits: { readonly [name: string]: number }
  /** How many processes. */
  readonly processes: number
  /** Whether a call of the store takes its time. */
  readonly isSlow: () => boolean
  /** Told of every call that was done. */
  readonly observe: (name: string, given: readonly unknown[], result: unknown) => Promise<void>
  readonly note: (text: string) => void
}
