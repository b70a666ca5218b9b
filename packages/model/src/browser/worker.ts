export { type BrowserStorage, openStorage, type StorageOptions } from './open-storage.js'
export type { BrowserFiles } from './opfs-files.js'
