import type { WireError } from '../remote/protocol.js'
import type { StorageOptions } from './open-storage.js'

/** Messages of the page that owns a device to its worker, beside remote calls. */
export type OwnerMessage =
  | {
      readonly owner: 'open'
      readonly name: string
      readonly server: string | undefined
      readonly storage: NonNullable<StorageOptions['storage']>
    }
  /** Checks that the worker's thread responds. */
  | { readonly owner: 'ping' }
  /** The worker closes the device, and answers with `closed`. */
  | { readonly owner: 'let-go' }

/** Messages of the worker to that page. */
export type WorkerMessage =
  /** `isNew`: the device had no data. */
  | { readonly worker: 'opened'; readonly storage: 'opfs' | 'memory'; readonly isNew: boolean }
  | { readonly worker: 'failed'; readonly error: WireError }
  | { readonly worker: 'pong' }
  | { readonly worker: 'closed' }

/** A message between pages and the owner's worker, over a broadcast channel. */
export interface ChannelMessage {
  /** A page's id; `*`: every page; '': the worker; `!`: the page that owns it. */
  readonly to: string
  /** A page's id, or '' for the worker. */
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
/** Held by a page while it lives. */
export const pageLockOf = (name: string, page: string): string => `godwit:${name}:page:${page}`
