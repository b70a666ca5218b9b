/** The state of a blob. */
export interface BlobFacts {
  /** The announced size in bytes. */
  readonly size: number
  /** How many bytes are stored, from the first on. */
  readonly received: number
  /** True if all bytes are stored and verified; none can be added. */
  readonly complete: boolean
  /** Identifies this copy of the bytes: a blob that is removed and uploaded again has another one. */
  readonly instance: string
}

/** A hold on a blob, which stays until it is released. */
export interface BlobHold {
  /** Untrusted text, never interpreted by a store. */
  readonly holder: string
  /** The time of the hold, in milliseconds since 1970 by the store's clock. */
  readonly at: number
}

/** The name of a blob. Both parts are untrusted text, never interpreted by a store; lone surrogates are replaced. */
export interface BlobName {
  readonly scope: string
  readonly name: string
}

/** A part of a blob to append. */
export interface BlobPart {
  /** The size of the whole blob in bytes. */
  readonly size: number
  /** The position of the bytes, which must be the number of bytes already stored. */
  readonly offset: number
  /** At most `MAX_BLOB_PART` bytes; an empty part only creates the blob. */
  readonly bytes: Uint8Array
}

/** The charge of a blob to an account. An account may have a limit for blobs that nothing refers to. */
export interface BlobCharge {
  /** Untrusted text, never interpreted by a store. */
  readonly account: string
  /** The bytes to charge, above 0. */
  readonly bytes: number
}

/** A charge that is refused beyond the account's limit. */
export interface LimitedCharge extends BlobCharge {
  /** The maximum total charge of the account. A single blob always fits. */
  readonly limit: number
}

/** The maximum bytes of one `append`. */
export const MAX_BLOB_PART = 1024 * 1024

/** Large contents by name, appended part by part and read in ranges, never held in memory as a whole. The server defines their meaning and access. */
export interface Blobs {
  /** Returns the state of a blob, or undefined if none of its bytes is stored. */
  find(blob: BlobName): Promise<BlobFacts | undefined>

  /**
   * Appends a part and records the time of use; a part at offset 0 creates the blob. A part at another offset than the blob's end, with another size,
   * beyond the size, or after `complete` changes nothing. Returns the resulting state in any case. Durable. The part that creates a blob also charges
   * it; if that exceeds the account's limit, no blob is created.
   */
  append(blob: BlobName, part: BlobPart, charge?: LimitedCharge): Promise<BlobFacts | undefined>

  /** Moves a blob's charge to this account or to none, regardless of limits. False if there is no such blob. */
  charge(blob: BlobName, charge: BlobCharge | undefined): Promise<boolean>

  /** Returns the bytes charged to an account for existing blobs. Removing a blob ends its charge. */
  charged(account: string): Promise<number>

  /** Marks a blob as complete and verified. False if there is no such blob, bytes are missing, or it is another `instance`. Durable. */
  complete(blob: BlobName, instance?: string): Promise<boolean>

  /** Reads at most `length` stored bytes from `offset` on. Empty beyond the end, or if there is no such blob. */
  read(blob: BlobName, range: { readonly offset: number; readonly length: number }): Promise<Uint8Array>

  /** Records the time of use. False if there is no such blob. */
  touch(blob: BlobName): Promise<boolean>

  /** Lists blobs without use since a time (milliseconds since 1970, by the store's clock), ordered by scope and name. */
  untouched(page: {
    readonly since: number
    readonly after?: BlobName | undefined
    readonly limit: number
  }): Promise<readonly BlobName[]>

  /**
   * Prevents the removal of a complete blob until the holder releases it, and records the time of use. False if there is no complete blob of this
   * name. Durable.
   */
  hold(blob: BlobName, holder: string): Promise<boolean>

  /** Ends a hold, and records the time of use. Does nothing without a hold. */
  release(blob: BlobName, holder: string): Promise<void>

  /** Lists the holders, in no particular order. */
  holders(blob: BlobName): Promise<readonly BlobHold[]>

  /**
   * Removes a blob with its holds in one step. False if there is none; with `untouchedSince`, also if it was used after that time or is held; with
   * `instance`, also if it is another instance.
   */
  remove(
    blob: BlobName,
    options?: { readonly untouchedSince?: number | undefined; readonly instance?: string | undefined },
  ): Promise<boolean>

  /** Removes all blobs of a scope, including held ones. */
  removeScope(scope: string): Promise<void>
}
