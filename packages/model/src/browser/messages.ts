import type { WireError } from '../remote/protocol.js'
import type { StorageOptions } from './open-storage.js'

/** What the page that owns a device tells its worker, beside the calls of the remote face. */
export type OwnerMessage =
  | {
      readonly owner: 'open'
      readonly name: string
      readonly server: string | undefined
      readonly storage: NonNullable<StorageOptions['storage']>
    }
  /** Asks whether the worker's thread is free. */
  | { readonly owner: 'ping' }
  /** The worker closes the device, and answers with `closed`. */
  | { readonly owner: 'let-go' }

/** What the worker tells that page. */
export type WorkerMessage =
  /** `isNew`: nothing of the device was there. */
  | { readonly worker: 'opened'; readonly storage: 'opfs' | 'memory'; readonly isNew: boolean }
  | { readonly worker: 'failed'; readonly error: WireError }
  | { readonly worker: 'pong' }
  | { readonly worker: 'closed' }

/** A message between pages and the worker of the one that owns the device, over a channel that all hear. */
export interface ChannelMessage {
  /** A page's id; `*`: every page; '': the worker; `!`: the page that owns it. */
  readonly to: string
  /** A page's id; '' is the worker. */
  readonly from: string
  readonly message: unknown
}

/** Addresses on the channel beside the ids of pages: the worker, every page, and the page that owns the worker. */
export const WORKER = ''
export const ALL_PAGES = '*'
export const OWNER = '!'

/** Names of locks and channels of a device. */
export const lockOf = (name: string): string => `godwit:${name}`
/** The lock of the worker that has the files open. */
export const filesLockOf = (name: string): string => `godwit:${name}:files`
/** Held by a page as long as it lives. */
export const pageLockOf = (name: string, page: string): string => `godwit:${name}:page:${page}`
