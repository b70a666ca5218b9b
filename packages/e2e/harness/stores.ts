import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { partOf, type RunningRedis, redisIsThere, redisUrl, startRedis, tier, turn } from '@godwit/testing'
import { afterAll } from '@jest/globals'

/** Creates an empty folder; call `remove` afterwards. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'godwit-e2e-'))
  // A browser that is closing may still write to its profile.
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }) }
}

let runningServer: Promise<RunningRedis> | undefined

afterAll(async () => {
  await (await runningServer)?.stop()
  runningServer = undefined
})

/** Returns the address of a store in the Redis that all journeys share, with the folder's name as key prefix. */
export async function redisAddress(folder: string): Promise<string> {
  if (redisUrl() === undefined) runningServer ??= startRedis()
  const url = redisUrl() ?? (await runningServer)?.url
  return `${url}?prefix=${encodeURIComponent(`${basename(folder)}:`)}`
}

/** The stores that journeys use, each with its address for a folder. Redis is included if installed, and starts with its first use. */
export const STORES: readonly {
  readonly name: string
  readonly address: (folder: string) => string | Promise<string>
}[] = [
  { name: 'memory', address: () => 'memory:' },
  { name: 'SQLite', address: folder => `sqlite:${join(folder, 'godwit.sqlite')}` },
  ...(redisUrl() !== undefined || redisIsThere() ? [{ name: 'Redis', address: redisAddress }] : []),
]

/** Returns the stores of a journey in this run: at night all, else one. Journeys differ in it, so that each run uses every store. */
export const storesOf = (journey: string, stores = STORES): typeof STORES =>
  partOf(stores, stores.length, { tier, turn: turn + journey.length })
