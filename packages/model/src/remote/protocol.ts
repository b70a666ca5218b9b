/** Raised when a message changes its meaning: a page and a host of different versions do not speak with each other. */
export const PROTOCOL_VERSION = 1

/** Milliseconds within which a call has to begin. */
export const CALL_START_LIMIT = 10_000

/**
 * `read`: repeated silently; `write`: done once under its number, however often it is repeated; `once`: never repeated, fails with
 * `device_moved` when the owner changes before its reply.
 */
export type CallKind = 'read' | 'write' | 'once'

/** An error as it crosses: a SyncError by its code, any other by its name. */
export interface WireError {
  readonly code: string
  readonly message: string
  readonly details?: { readonly [name: string]: unknown }
  readonly retryable?: boolean
}

/** What a page shows without asking. Facts of the platform stand beside what every host tells. */
export interface DeviceStatus {
  /** A host answered and was not lost since. */
  readonly connected: boolean
  /** The server's id of the last user; null before the first login. */
  readonly userId: string | null
  readonly userName: string | null
  /** The id of this device at the server; null before any. */
  readonly clientId: string | null
  readonly loggedIn: boolean
  /** The last request was answered; null while none was tried since the device was opened. */
  readonly online: boolean | null
  readonly syncing: boolean
  /** Of the pass that runs: rows received, and live rows on the server. */
  readonly progress: { readonly source: string; readonly received: number; readonly total: number } | null
  /** Changes that the server has not decided. */
  readonly waiting: number
  /** How many changes were refused and not handled yet. */
  readonly refused: number
  /** A migration or another long step holds the device: calls wait for its end. */
  readonly busy: boolean
  /** Why no call can be answered: `reload_needed`, or what kept the device from opening. */
  readonly problem: WireError | null
  /** In a browser: which part this page has. */
  readonly role?: 'opening' | 'owner' | 'guest'
  /** In a browser: whether data outlives the page. */
  readonly storage?: 'persistent' | 'best-effort' | 'memory' | 'full'
  readonly durable?: boolean
  /** Bytes. */
  readonly usage?: number
  readonly quota?: number
}

/** What the host tells of the status; the rest is the page's own. */
export type HostStatus = Omit<DeviceStatus, 'connected' | 'problem' | 'role'>

/** The rows of a live query: the list of ids changes at one place, and only rows that changed are sent. */
export interface RowsMessage {
  readonly godwit: 'rows'
  readonly live: number
  /** From 0, each one higher: a gap means that one was lost. 0 is the whole answer. */
  readonly number: number
  /** The index where the list of ids changes. */
  readonly from: number
  /** How many ids are removed there. */
  readonly removed: number
  /** The ids that are inserted there. */
  readonly added: readonly string[]
  readonly rows: readonly object[]
}

export interface CallMessage {
  readonly godwit: 'call'
  /** Of this page; with the page's id it names the call for life. */
  readonly number: number
  readonly kind: CallKind
  /** The generation of the host that shall answer. */
  readonly generation: number
  /** Milliseconds since 1970 until which it may begin. */
  readonly before: number
  /** When it was first asked. */
  readonly made: number
  /** It may have been sent before. */
  readonly repeat: boolean
  /** Whom the page shows. */
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
      /** Random, of this page for life. */
      readonly page: string
      readonly fingerprint: string
      readonly release: number
    }
  | CallMessage
  | { readonly godwit: 'acknowledge'; readonly numbers: readonly number[] }
  /** Begins a live query, or begins one again. `on`: a model, `sql` or `refused`. */
  | { readonly godwit: 'watch'; readonly live: number; readonly on: string; readonly args: readonly unknown[] }
  | { readonly godwit: 'unwatch'; readonly live: number }
  /** The page leaves. */
  | { readonly godwit: 'bye' }

export type HostMessage =
  /** Asks pages to say hello. */
  | { readonly godwit: 'invite'; readonly generation: number }
  | { readonly godwit: 'welcome'; readonly generation: number; readonly status: HostStatus }
  /** The handshake failed. */
  | { readonly godwit: 'unwelcome'; readonly error: WireError }
  /** The call was begun and takes its time. */
  | { readonly godwit: 'begun'; readonly number: number }
  | { readonly godwit: 'reply'; readonly number: number; readonly result?: unknown; readonly error?: WireError }
  | RowsMessage
  /** A live query cannot be asked. */
  | { readonly godwit: 'failed'; readonly live: number; readonly error: WireError }
  | { readonly godwit: 'event'; readonly event: object }
  | { readonly godwit: 'status'; readonly status: Partial<HostStatus> }
  /** Sent by who opens the device, too, before there is a host. */
  | { readonly godwit: 'busy'; readonly busy: boolean }
  /** The host let go of the device and begins no call any more. */
  | { readonly godwit: 'gone'; readonly generation: number }
