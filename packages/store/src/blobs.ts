/** A blob as it stands. */
export interface BlobFacts {
  /** Bytes, as announced. */
  readonly size: number
  /** Bytes that are there, from the first on. */
  readonly received: number
  /** It can be relied on; nothing is added any more. */
  readonly complete: boolean
  /** Names this copy of the bytes: a blob that is removed and begun again has another one. */
  readonly instance: string
}

/** Someone who needs a blob until it is released. */
export interface BlobHolder {
  /** Hostile text, never interpreted by a store. */
  readonly holder: string
  /** When it was held, in milliseconds since 1970 by the store's clock. */
  readonly at: number
}

/** Which blob. Both are hostile text, never interpreted by a store; lone surrogates are replaced. */
export interface BlobName {
  readonly scope: string
  readonly name: string
}

/** Bytes of a blob on their way into the store. */
export interface BlobPart {
  /** Of the whole blob, in bytes. */
  readonly size: number
  /** Where the bytes belong: how many are there already. */
  readonly offset: number
  /** At most `MAX_BLOB_PART`; none asks for nothing but that the blob begins. */
  readonly bytes: Uint8Array
}

/** Whom a blob is charged to: the account may be limited in what it has that nothing names. */
export interface BlobCharge {
  /** Hostile text, never interpreted by a store. */
  readonly account: string
  /** What the blob counts for, above 0. */
  readonly bytes: number
}

/** A charge that is refused beyond the account's limit. */
export interface LimitedCharge extends BlobCharge {
  /** What the account may be charged with altogether. One blob alone always fits. */
  readonly limit: number
}

/** Bytes of one `append` at most. */
export const MAX_BLOB_PART = 1024 * 1024

/** Large contents, by name: added part by part, read in any part, never held whole in memory. What they mean, and who may read them, is the server's matter. */
export interface Blobs {
  /** Resolves to undefined when no byte of the blob is stored. */
  find(blob: BlobName): Promise<BlobFacts | undefined>

  /**
   * Adds a part where the blob ends, and notes the time; the part at 0 makes it. A part that does not go on exactly there, is of another size
   * than the blob, goes beyond it, or comes after `complete` changes nothing. Either way the blob as it then stands. Durable.
   * The part that makes the blob charges it as told; where that goes beyond the limit of the account, no blob is made.
   */
  append(blob: BlobName, part: BlobPart, charge?: LimitedCharge): Promise<BlobFacts | undefined>

  /** Charges a blob to this account instead, or to none, whatever the limit. False: there is no such blob. */
  charge(blob: BlobName, charge: BlobCharge | undefined): Promise<boolean>

  /** What the blobs that are there are charged to an account with, in bytes. A blob that goes is charged no more. */
  charged(account: string): Promise<number>

  /** All bytes are there and are what they should be. False: there is no such blob, bytes are missing, or it is another `instance` than the given one. Durable. */
  complete(blob: BlobName, instance?: string): Promise<boolean>

  /** The bytes there are from `offset` on, at most `length`: empty beyond the end, or when there is no such blob. */
  read(blob: BlobName, range: { readonly offset: number; readonly length: number }): Promise<Uint8Array>

  /** Notes that somebody needs it. False: there is no such blob. */
  touch(blob: BlobName): Promise<boolean>

  /** Blobs that were not touched since a time (milliseconds since 1970, by the store's clock), in order of (scope, name). */
  untouched(page: {
    readonly since: number
    readonly after?: BlobName | undefined
    readonly limit: number
  }): Promise<readonly BlobName[]>

  /** Keeps a complete blob from removal until the holder releases it, and notes the time. False: there is no complete blob of this name. Durable. */
  hold(blob: BlobName, holder: string): Promise<boolean>

  /** Ends a hold, and notes the time as that of the last touch. Does nothing without a hold. */
  release(blob: BlobName, holder: string): Promise<void>

  /** Who holds it, in no order. */
  holders(blob: BlobName): Promise<readonly BlobHolder[]>

  /** Removes a blob with its holds, in one step. False: there was none, with `untouchedSince` it was touched after that time or is held, or with `instance` it is another one. */
  remove(
    blob: BlobName,
    options?: { readonly untouchedSince?: number | undefined; readonly instance?: string | undefined },
  ): Promise<boolean>

  /** All blobs of a scope, held or not. */
  removeScope(scope: string): Promise<void>
}
