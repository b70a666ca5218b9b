import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Files that a web server does not send, such as `.htaccess` and `_headers`, or that no page loads: compressed copies, source maps. */
const NOT_SERVED = /(^|\/)\.|^_[^/]*$|\.(br|gz|map)$/

/** Returns the paths of all files below a folder, sorted, with forward slashes. */
export const listFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .toSorted()

/** Returns whether pages may request a file. The service worker tells a file from a route by its extension. */
export const isServed = (file: string): boolean => /\.\w+$/.test(file) && !NOT_SERVED.test(file)
