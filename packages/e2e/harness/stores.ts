import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { redisIsThere, redisUrl } from '@godwit/testing'
import { redisAddress } from './redis.js'

/** A new empty folder and what removes it. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'godwit-e2e-'))
  // A browser that ends may still write to its profile.
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }) }
}

/** The stores that journeys run over: a name, and the address in a folder. Redis, where it is, starts with its first journey. */
export const STORES: readonly {
  readonly name: string
  readonly address: (folder: string) => string | Promise<string>
}[] = [
  { name: 'memory', address: () => 'memory:' },
  { name: 'SQLite', address: folder => `sqlite:${join(folder, 'godwit.sqlite')}` },
  ...(redisUrl() !== undefined || redisIsThere() ? [{ name: 'Redis', address: redisAddress }] : []),
]
