/** A file with synchronous access, exclusive to its opener. */
export interface SyncAccessHandle {
  read(into: Uint8Array, options: { readonly at: number }): number
  write(bytes: Uint8Array, options: { readonly at: number }): number
  getSize(): number
  /** Throws `QuotaExceededError` if the disk is full. */
  truncate(bytes: number): void
  flush(): void
  close(): void
}

/** A file of the origin, in a worker. */
export interface OpfsFile extends FileSystemFileHandle {
  createSyncAccessHandle(): Promise<SyncAccessHandle>
  /** Renames the file within its folder. Absent in older browsers. */
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

/** Opens a folder by its path, creating it if needed. Default parent: the root of the origin. */
export async function openFolder(path: string, within?: OpfsFolder): Promise<OpfsFolder> {
  let folder = within ?? ((await navigator.storage.getDirectory()) as unknown as OpfsFolder)
  for (const name of path.split('/').filter(part => part !== ''))
    folder = await folder.getDirectoryHandle(name, { create: true })
  return folder
}

/** Milliseconds. A failure that lasts longer is taken as permanent. */
const RETRY_DURATION_MS = 2000

/** True if the origin can store files. Private windows and blocked sites refuse at once; other failures may be temporary and are retried for two seconds. */
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
      if (name === 'SecurityError' || name === 'NotAllowedError' || performance.now() - begun > RETRY_DURATION_MS)
        return false
      await new Promise(resolve => setTimeout(resolve, 100))
    }
}

const CHECK_FILE = /^\.opfs-sahpool-sync-check-/
/** Milliseconds after which a check file cannot belong to an opening that is still running. */
const CHECK_FILE_AGE_MS = 60_000

/** Removes the empty files that interrupted openings left when they checked the browser. */
export async function removeCheckFiles(): Promise<void> {
  const folder = (await navigator.storage.getDirectory()) as unknown as OpfsFolder
  for await (const entry of folder.values()) {
    if (entry.kind !== 'file' || !CHECK_FILE.test(entry.name)) continue
    const isOld = await entry.getFile().then(
      ({ lastModified }) => Date.now() - lastModified > CHECK_FILE_AGE_MS,
      () => false,
    )
    if (isOld) await folder.removeEntry(entry.name).catch(() => {})
  }
}

/** The folder of a device. Device names may contain any character, file names may not. */
export const folderOf = (device: string): string => `/godwit/${encodeURIComponent(device).replaceAll('.', '%2E')}`
