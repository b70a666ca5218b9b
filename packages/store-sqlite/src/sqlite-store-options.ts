import type { StoreOptions } from '@godwit/store'

/**
 * What an acknowledged write survives. `full`: a crash of the process and of the machine. `normal`: a crash of the process; a power failure may lose
 * the last seconds, which devices notice and send or fetch again. Users, sessions, sources, settings, and the start of a call that must not be
 * repeated are on disk in both.
 */
export type Durability = 'full' | 'normal'

/** The options of a SQLite store. */
export interface SqliteStoreOptions extends StoreOptions {
  /** Default `full`. */
  readonly durability?: Durability
}
