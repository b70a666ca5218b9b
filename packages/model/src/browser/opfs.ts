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

/** Opens a folder by its path in another one, made where it is not there. Default: in that of the origin. */
export async function openFolder(path: string, within?: OpfsFolder): Promise<OpfsFolder> {
  let folder = within ?? ((await navigator.storage.getDirectory()) as unknown as OpfsFolder)
  for (const name of path.split('/').filter(part => part !== ''))
    folder = await folder.getDirectoryHandle(name, { create: true })
  return folder
}

/** Milliseconds: a failure that lasts longer is how this browser is. */
const RETRY_DURATION = 2000

/**
 * Whether the origin keeps files here. Private windows, and users who keep sites from storing, refuse;
 * any other failure to give the folder may pass, so it is asked for again for two seconds.
 */
export async function keepsFiles(): Promise<boolean> {
  if (typeof FileSystemFileHandle === 'undefined') return false
  if (!('createSyncAccessHandle' in FileSystemFileHandle.prototype)) return false
  const begun = performance.now()
  for (;;)
    try {
      await navigator.storage.getDirectory()
      return true
    } catch (error) {
      const { name } = error as Partial<Error>
      if (name === 'SecurityError' || name === 'NotAllowedError' || performance.now() - begun > RETRY_DURATION)
        return false
      await new Promise(resolve => setTimeout(resolve, 100))
    }
}

const CHECK_FILE = /^\.opfs-sahpool-sync-check-/
/** Milliseconds after which a file is no longer of an opening that goes on. */
const CHECK_FILE_AGE = 60_000

/** Removes the empty files with which openings that were killed had checked the browser. */
export async function removeCheckFiles(): Promise<void> {
  const folder = (await navigator.storage.getDirectory()) as unknown as OpfsFolder
  for await (const entry of folder.values()) {
    if (entry.kind !== 'file' || !CHECK_FILE.test(entry.name)) continue
    const isOld = await entry.getFile().then(
      ({ lastModified }) => Date.now() - lastModified > CHECK_FILE_AGE,
      () => false,
    )
    if (isOld) await folder.removeEntry(entry.name).catch(() => {})
  }
}

/** Where a device keeps its files: names of devices may have any character, names of files not. */
export const folderOf = (device: string): string => `/godwit/${encodeURIComponent(device).replaceAll('.', '%2E')}`
