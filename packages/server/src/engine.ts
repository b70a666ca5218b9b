import type { Store } from '@godwit/store'
import type { Log } from './log.js'
import type { Limits } from './options.js'
import type { Source } from './sources/source.js'

/** What the verbs choose from: `Pick<Engine, 'store' | 'sources'>`. */
export interface Engine {
  readonly store: Store
  readonly sources: Sources
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Random text of 128 bits or more. */
  readonly randomId: () => string
  readonly log: Log
  readonly limits: Limits
  /** This process, as the holder of leases. */
  readonly holder: string
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal
  /** Who may log in on a device. Undefined: users of the registry with their passwords. */
  readonly authenticate: Authenticate | undefined
}

/** Decides whether a device user may log in; may also give the attributes of a user that is new here. */
export type Authenticate = (
  login: string,
  password: string,
) => Promise<boolean | { readonly attributes?: { readonly [name: string]: unknown } }>

/** The configured sources with their present settings. */
export interface Sources {
  /** Throws `source_not_found`, naming the source. */
  get(name: string): Source
  find(name: string): Source | undefined
  /** By priority, then name. */
  all(): readonly Source[]
}
