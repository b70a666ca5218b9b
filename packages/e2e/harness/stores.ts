import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type RunningRedis, redisIsThere, redisUrl, startRedis } from '@godwit/testing'
import { afterAll } from '@jest/globals'

/** A new empty folder and what removes it. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'godwit-e2e-'))
  // A browser that ends may still write to its profile.
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }) }
}

let runningServer: Promise<RunningRedis> | undefined

afterAll(async () => {
  await (await runningServer)?.stop()
  runningServer = undefined
})

/** A store in the Redis of these journeys, which they share: its keys begin with the folder's name. */
export async function redisAddress(folder: string): Promise<string> {
  if (redisUrl() === undefined) runningServer ??= startRedis()
  const url = redisUrl() ?? (await runningServer)?.url
  return `${url}?prefix=${encodeURIComponent(`${basename(folder)}:`)}`
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
