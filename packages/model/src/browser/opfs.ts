/** A file that only its opener reads and writes, without promises. */
export interface SyncAccessHandle {
  read(into: Uint8Array, options: { readonly at: number }): number
  write(bytes: Uint8Array, options: { readonly at: number }): number
  getSize(): number
  /** Throws `QuotaExceededError` where the origin has no room. */
  truncate(bytes: number): void
  flush(): void
  close(): void
}

/** A file of the origin, in a worker. */
export interface OpfsFile extends FileSystemFileHandle {
  createSyncAccessHandle(): Promise<SyncAccessHandle>
  /** Gives it another name in its folder. Absent in older browsers. */
  move?(name: string): Promise<void>
}

/** A folder of the origin. */
export interface OpfsFolder {
  readonly kind: 'directory'
  removeEntry(name: string, options?: { readonly recursive?: boolean }): Promise<void>
  getFileHandle(name: string, options?: { readonly create?: boolean }): Promise<OpfsFile>
  getDirectoryHandle(name: string, options?: { readonly create?: boolean }): Promise<OpfsFolder>
  values(): AsyncIterableIterator<OpfsFile | OpfsFolder>
}

/** Opens a folder of the origin by its path, made where it is not there. */
export async function openFolder(path: string): Promise<OpfsFolder> {
  let folder = (await navigator.storage.getDirectory()) as unknown as OpfsFolder
  for (const name of path.split('/').filter(part => part !== ''))
    folder = await folder.getDirectoryHandle(name, { create: true })
  return folder
}

/** Where a device keeps its files: names of devices may have any character, names of files not. */
export const folderOf = (device: string): string => `/godwit/${encodeURIComponent(device).replaceAll('.', '%2E')}`
