import { quote } from '../columns/table-shape.js'
import type { Statement } from '../platform/driver.js'
import type { DeviceDatabase } from './database.js'
import type { SchemaName } from './files.js'

/** The highest version that a device has had of a source, and the epoch to which it belongs. */
export interface HighWaterMark {
  readonly epoch: string
  readonly version: number
}

/** The sync state of one source on this device. */
export interface SourceState {
  /** The epoch of the server's data; null before the first pull. */
  readonly epoch: string | null
  /** The token for the next pull; null if it starts from zero. */
  readonly token: string | null
  /** The client id to which mutation numbers and token belong. */
  readonly client: string | null
  /** All outcomes up to this number have been applied. */
  readonly acknowledged: number
  /** Number of the next mutation. */
  readonly next: number
  /** True once the server has answered a push with these numbers. Until then, outcomes in pages are of numbers that the client id gave earlier. */
  readonly pushed: boolean
  /** The running or last pass: its name on the server, and the number that rows store. */
  readonly passName: string | null
  readonly pass: number
  readonly running: boolean
  /** True if the pass started from zero: rows of other passes are removed at its end, and count as unknown until it delivers them again. */
  readonly resync: boolean
  /** The version up to which the device has all changes, and the highest version that the running pass has delivered. */
  readonly base: number
  readonly highest: number
  /**
   * What the device had before a pass from zero, or before its client was replaced; null once a pass has ended. An older file would undo what the app
   * has seen.
   */
  readonly highWater: HighWaterMark | null
  /** The sum of hash64 over the server's rows. */
  readonly checksum: string
  /** Incremented to invalidate running requests. */
  readonly sync: number
  /** When a pass last ended, ISO 8601; '' before the first. */
  readonly refreshed: string
  /** Number of live objects on the server, as of the last page. */
  readonly total: number
  /** Number of repairs since the checksums last agreed. */
  readonly mended: number
  /** The schema that the source last declared, as JSON. */
  readonly schema: string
  /** Since when the backend's changes may be missing on the server, ISO 8601; null: they are not. */
  readonly staleSince: string | null
}

/** The state of a source that was never synced. */
export const NEW_SOURCE: SourceState = {
  epoch: null,
  token: null,
  client: null,
  acknowledged: 0,
  next: 1,
  pushed: false,
  passName: null,
  pass: 0,
  running: false,
  resync: false,
  base: 0,
  highest: 0,
  highWater: null,
  checksum: '0000000000000000',
  sync: 0,
  refreshed: '',
  total: 0,
  mended: 0,
  schema: '',
  staleSince: null,
}

/** Returns a stored state; members that an older version of the SDK did not store are those of a new source. */
export const readState = (text: string): SourceState => ({ ...NEW_SOURCE, ...(JSON.parse(text) as SourceState) })

/** Returns the mark of a device in this state. `outcome`: the highest version of an outcome that no pass has delivered yet. */
export function highWaterOf({ epoch, base, highest, highWater }: SourceState, outcome = 0): HighWaterMark | null {
  if (epoch === null) return highWater
  const before = highWater?.epoch === epoch ? highWater.version : 0
  return { epoch, version: Math.max(base, highest, outcome, before) }
}

/** The sync states of the sources of one partition. They are read in every transaction, because another process may have changed them. */
export class SourceStates {
  readonly #read: Statement
  readonly #write: Statement
  readonly #stale: Statement

  constructor(database: DeviceDatabase, schema: SchemaName) {
    const table = `${quote(schema)}.source`
    this.#read = database.prepare(`SELECT state FROM ${table} WHERE name = ?`)
    this.#stale = database.prepare(`SELECT min(json_extract(state, '$.staleSince')) AS since FROM ${table}`)
    this.#write = database.prepare(
      `INSERT INTO ${table} VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET state = excluded.state`,
    )
  }

  get(name: string): SourceState {
    const text = this.#read.get(name)?.['state']
    return typeof text === 'string' ? readState(text) : NEW_SOURCE
  }

  /** Returns the state of one source, as the sync uses it. */
  of(name: string): StateCell {
    return new StateCell({ read: () => this.get(name), write: state => this.set(name, state) })
  }

  set(name: string, state: SourceState): void {
    this.#write.run(name, JSON.stringify(state))
  }

  /** Returns since when a source is stale, the earliest one; null: none is. */
  staleSince(): string | null {
    const since = this.#stale.get()?.['since']
    return typeof since === 'string' ? since : null
  }

  change(name: string, changes: Partial<SourceState>): SourceState {
    return this.of(name).change(changes)
  }

  voidToken(name: string): void {
    this.of(name).voidToken()
  }

  clear(name: string, options?: ClearOptions): void {
    this.of(name).clear(options)
  }
}

interface ClearOptions {
  /** Numbers and outcomes continue. Default false. */
  readonly keepsNumbers?: boolean
}

interface StateStorage {
  readonly read: () => SourceState
  readonly write: (state: SourceState) => void
}

/** The stored sync state of one source, or of one of its copies. */
export class StateCell {
  readonly #storage: StateStorage

  constructor(storage: StateStorage) {
    this.#storage = storage
  }

  get(): SourceState {
    return this.#storage.read()
  }

  set(state: SourceState): void {
    this.#storage.write(state)
  }

  change(changes: Partial<SourceState>): SourceState {
    const state = { ...this.get(), ...changes }
    this.set(state)
    return state
  }

  /** Makes the next pass start from zero and voids running requests; numbers and outcomes continue. */
  voidToken(): void {
    this.change({ token: null, sync: this.get().sync + 1 })
  }

  /** Starts a source over as one that was never synced, and voids running requests. */
  clear({ keepsNumbers = false }: ClearOptions = {}): void {
    const { sync, epoch, client, next, pushed, acknowledged, pass } = this.get()
    const kept = keepsNumbers && { epoch, client, next, pushed, acknowledged, pass }
    this.set({ ...NEW_SOURCE, ...kept, sync: sync + 1 })
  }
}
