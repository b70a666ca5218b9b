import type { SignInState } from '../platform/sign-in-state.js'

/** Incremented when a message changes its meaning: pages and hosts of different versions do not connect. */
export const PROTOCOL_VERSION = 1

/** Milliseconds within which a call has to start. */
export const CALL_START_LIMIT_MS = 10_000

/**
 * `read`: repeated automatically; `write`: done once, however often it is repeated; `once`: never repeated, fails with `device_moved` if the owner
 * changes before the reply.
 */
export type CallKind = 'read' | 'write' | 'once'

/** An error in a message: a SyncError by its code, any other by its name. */
export interface WireError {
  readonly code: string
  readonly message: string
  readonly details?: { readonly [name: string]: unknown }
  readonly retryable?: boolean
}

/** The sync state of one source. */
export interface SourceStatus {
  /** Whether the device has had all rows of the source once: its first sync is done. */
  readonly synced: boolean
  /** The running pass: rows received, and live rows on the server. */
  readonly progress: { readonly received: number; readonly total: number } | null
  /** The last error of the source or its backend, until a later sync succeeds. */
  readonly error: { readonly code: string; readonly message: string } | null
  /** Since when what changed in the backend may be missing, ISO 8601, as of the last sync; null: nothing is. */
  readonly staleSince: string | null
}

/** The status that pages have without a call. Platforms add facts. */
export interface DeviceStatus {
  /** A host has answered and was not lost since. */
  readonly connected: boolean
  /** The server's id of the last user; null before the first login. */
  readonly userId: string | null
  readonly userName: string | null
  /** The id of this device at the server; null before any. */
  readonly clientId: string | null
  readonly loggedIn: boolean
  /** `guest` before the first login; `signed_out`: the server has ended the session; `logged_out`: the user has. Data is kept, and `waiting` changes too. */
  readonly signIn: SignInState
  /** Whether the last request was answered; null before the first since the device was opened, and while a lost event stream is opened again. */
  readonly online: boolean | null
  readonly syncing: boolean
  /** The running pass: rows received, and live rows on the server. */
  readonly progress: { readonly source: string; readonly received: number; readonly total: number } | null
  /** Each model that syncs, by its name. Absent before a host has answered. */
  readonly sources?: { readonly [model: string]: SourceStatus }
  /** Changes that the server has not decided. */
  readonly waiting: number
  /** How many changes were refused and not handled yet. */
  readonly refused: number
  /** How many changes replaced values of others and were not dismissed yet. */
  readonly overwritten: number
  /** Since when what changed in the backend may be missing, ISO 8601: the earliest of all models. null: nothing is. */
  readonly staleSince: string | null
  /** A migration or another long step is running; calls wait for its end. */
  readonly busy: boolean
  /** Why calls cannot be answered: `reload_needed`, or the error that kept the device from opening. */
  readonly problem: WireError | null
  /** In a browser: this page's role. */
  readonly role?: 'opening' | 'owner' | 'guest'
  /** In a browser: whether data survives the page. */
  readonly storage?: 'persistent' | 'best-effort' | 'memory' | 'full'
  readonly durable?: boolean
  /** Bytes stored. */
  readonly usage?: number
  readonly quota?: number
}

/** The status as the host sends it; the page adds the rest. */
export type HostStatus = Omit<DeviceStatus, 'connected' | 'problem' | 'role'>

/** Rows of a live query: the list of ids changes at one position, and only changed rows are sent. */
export interface RowsMessage {
  readonly godwit: 'rows'
  readonly live: number
  /** Counts from 0, which carries the whole result; a gap means that a message was lost. */
  readonly number: number
  /** Index at which the list of ids changes. */
  readonly from: number
  /** How many ids are removed there. */
  readonly removed: number
  /** The ids that are inserted there. */
  readonly added: readonly string[]
  readonly rows: readonly object[]
}

export interface CallMessage {
  readonly godwit: 'call'
  /** Counted by the page; with the page's id it identifies the call. */
  readonly number: number
  readonly kind: CallKind
  /** The generation of the host that must answer. */
  readonly generation: number
  /** Milliseconds since 1970 until which it may start. */
  readonly before: number
  /** When it was first made. */
  readonly made: number
  /** It may have been sent before. */
  readonly repeat: boolean
  /** The user that the page shows. */
  readonly user: string | null
  /** A model, `actions`, `sql`, or '' for the device. */
  readonly on: string
  readonly method: string
  readonly args: readonly unknown[]
  /** Calls whose replies the page has. */
  readonly acknowledged: readonly number[]
}

export type PageMessage =
  | {
      readonly godwit: 'hello'
      readonly version: number
      /** The page's permanent random id. */
      readonly page: string
      readonly fingerprint: string
      readonly release: number
    }
  | CallMessage
  | { readonly godwit: 'acknowledge'; readonly numbers: readonly number[] }
  /** Starts or restarts a live query. `on`: a model, `sql`, `refused` or `overwritten`. */
  | { readonly godwit: 'watch'; readonly live: number; readonly on: string; readonly args: readonly unknown[] }
  | { readonly godwit: 'unwatch'; readonly live: number }
  /** The page closes. */
  | { readonly godwit: 'bye' }

export type HostMessage =
  /** Asks pages to say hello. */
  | { readonly godwit: 'invite'; readonly generation: number }
  | { readonly godwit: 'welcome'; readonly generation: number; readonly status: HostStatus }
  /** The handshake failed. */
  | { readonly godwit: 'unwelcome'; readonly error: WireError }
  /** The call has started and is asynchronous. */
  | { readonly godwit: 'begun'; readonly number: number }
  | { readonly godwit: 'reply'; readonly number: number; readonly result?: unknown; readonly error?: WireError }
  | RowsMessage
  /** A live query failed. */
  | { readonly godwit: 'failed'; readonly live: number; readonly error: WireError }
  | { readonly godwit: 'event'; readonly event: object }
  | { readonly godwit: 'status'; readonly status: Partial<HostStatus> }
  /** Also sent by the opener of the device, before there is a host. */
  | { readonly godwit: 'busy'; readonly busy: boolean }
  /** The host released the device and starts no more calls. */
  | { readonly godwit: 'gone'; readonly generation: number }
