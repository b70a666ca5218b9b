/** A file of the device, by its relative name with `/`. */
export interface FileFacts {
  readonly name: string
  /** Milliseconds since it was last written. */
  readonly age: number
}

/** An incremental SHA-256. */
export interface Hasher {
  update(bytes: Uint8Array): void
  /** Returns 64 lower-case hexadecimal digits. */
  digest(): string
}

/**
 * The files of a device other than its databases: blobs, and bulk data during an import. Methods may return promises; platforms without file storage
 * do not provide it.
 */
export interface DeviceFiles {
  /** Returns the path of a file for the app, whether or not the file exists. */
  path(name: string): string
  /** Returns the name for a path; undefined if it is outside the device's files. */
  nameOf(path: string): string | undefined
  /** Returns the size in bytes; undefined if there is no such file. */
  size(name: string): number | undefined
  /** Reads at most `length` bytes from `offset`. */
  read(name: string, offset: number, length: number): Uint8Array | Promise<Uint8Array>
  /** Appends bytes to a file, which is created if needed. */
  append(name: string, bytes: Uint8Array): void | Promise<void>
  /** Syncs a file to disk and renames it, so that a file with the new name is always complete. */
  finish(name: string, as: string): void | Promise<void>
  /** Removes a file. A missing file is not an error. */
  remove(name: string): void | Promise<void>
  /** Returns the files directly in a folder. */
  list(folder: string): readonly FileFacts[] | Promise<readonly FileFacts[]>
  /**
   * Copies bytes, or a file given by path or `file:` URI, atomically into a folder and returns the SHA-256, which is the file's name. Returns
   * undefined if the file cannot be read synchronously.
   */
  take(content: string | Uint8Array, folder: string): string | undefined
  /** Unpacks a gzip file with a SQLite database to a name that `Driver.attachPlain` opens and `Drive.delete` removes. */
  unzip(name: string, as: string): Promise<void>
  newHash(): Hasher
}
