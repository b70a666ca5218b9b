/** A file of the device, by its name: relative, with `/`. */
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
 * Files beside the databases of a device: blobs, and bulk data during an import. Methods may return promises; platforms without file
 * storage have none of them.
 */
export interface DeviceFiles {
  /** Where the app finds a file of this name, whether it is there or not. */
  path(name: string): string
  /** The name of what the app calls so; undefined: it is no file of this device. */
  nameOf(path: string): string | undefined
  /** Bytes. Undefined: there is no such file. */
  size(name: string): number | undefined
  /** The bytes there are from `offset` on, at most `length`. */
  read(name: string, offset: number, length: number): Uint8Array | Promise<Uint8Array>
  /** Adds bytes at the end of a file, or begins one. */
  append(name: string, bytes: Uint8Array): void | Promise<void>
  /** Gives it another name once its content is on disk: under that name there is all of it or nothing. */
  finish(name: string, as: string): void | Promise<void>
  /** One that is not there is no error. */
  remove(name: string): void | Promise<void>
  /** Files directly in a folder. */
  list(folder: string): readonly FileFacts[] | Promise<readonly FileFacts[]>
  /**
   * Copies a file of the app, named by its path or `file:` URI, or bytes into a folder, whole or not at all, under the SHA-256, which it returns.
   * Undefined: it cannot be read, or not at once.
   */
  take(content: string | Uint8Array, folder: string): string | undefined
  /** Writes the content of a gzip file, a SQLite database, where `Driver.attachPlain` finds it and `Drive.delete` removes it. */
  unzip(name: string, as: string): Promise<void>
  newHash(): Hasher
}
