import { existsSync } from 'node:fs'
import { join } from 'node:path'

const NAMES = ['godwit.config.ts', 'godwit.config.mts', 'godwit.config.mjs', 'godwit.config.js']

/** Returns the path of the configuration file in a folder; undefined if it has none. */
export const findConfig = (folder: string): string | undefined =>
  NAMES.map(name => join(folder, name)).find(path => existsSync(path))
