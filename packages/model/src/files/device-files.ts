/** A file of the device, by its relative name with `/`. */
export interface FileFacts {
  readonly name: string
  /** Milliseconds since it was last written. */
  readonly age: number
}

/** A running SHA-256. */
export interface Hasher {
  update(bytes: Uint8Array): void
  /** 64 lower-case hexadecimal digits. */
  digest(): string
}

/**
 * Files of a device beside its databases: blobs, and bulk data during an import. Methods may return promises; platforms without file storage have
 * none of this.
 */
export interface DeviceFiles {
  /** The path under which the app finds a file of this name, existing or not. */
  path(name: string): string
  /** The name of a path; undefined if it is not a file of this device. */
  nameOf(path: string): string | undefined
  /** Size in bytes; undefined if there is no such file. */
  size(name: string): number | undefined
  /** Reads at most `length` bytes from `offset`. */
  read(name: string, offset: number, length: number): Uint8Array | Promise<Uint8Array>
  /** Appends bytes to a file, which is created if needed. */
  append(name: string, bytes: Uint8Array): void | Promise<void>
  /** Renames a file once its content is on disk, so that a file of that name is always complete. */
  finish(name: string, as: string): void | Promise<void>
  /** Removes a file. A missing one is no error. */
  remove(name: string): void | Promise<void>
  /** Files directly in a folder. */
  list(folder: string): readonly FileFacts[] | Promise<readonly FileFacts[]>
  /**
   * Copies a file of the app, given by path or `file:` URI, or bytes into a folder, completely or not at all. Returns its SHA-256, which is its name;
   * undefined if it cannot be read, or not synchronously.
   */
  take(content: string | Uint8Array, folder: string): string | undefined
  /** Writes the content of a gzip file, a SQLite database, where `Driver.attachPlain` opens it and `Drive.delete` removes it. */
  unzip(name: string, as: string): Promise<void>
  newHash(): Hasher
}
