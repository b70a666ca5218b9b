import { createRequire } from 'node:module'
import { join } from 'node:path'
import type BetterSqlite3 from 'better-sqlite3'
import { inRepository, type Program, start } from './process.js'

const program = (name: string): string => inRepository(`packages/e2e/harness/programs/${name}.mjs`)

export type BackendContent = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>

export type DeviceStep =
  | { readonly do: 'login' | 'sync' }
  | { readonly do: 'create'; readonly model: string; readonly attributes: object }
  | { readonly do: 'update'; readonly model: string; readonly note: string; readonly to: string }
  | { readonly do: 'delete'; readonly model: string; readonly note: string }

export interface DeviceContent {
  readonly objects: BackendContent
  readonly unsent: boolean
  readonly failures: readonly { readonly step: string; readonly code: string; readonly message: string }[]
}

/** Starts a server in a folder, on a port that it uses again after a restart. */
export async function mortalServer(
  folder: string,
  port: number,
  killAt?: string,
): Promise<Program & { readonly url: string }> {
  const started = start(program('mortal-server'), [folder, String(port)], { KILL_AT: killAt })
  const [, url = ''] = await started.line(/^mortal server listening on (http:\S+)$/m)
  return Object.assign(started, { url })
}

/** Runs steps on the device of a folder. Returns undefined if the device was killed before the end. */
export async function mortalDevice(
  folder: string,
  server: string,
  steps: readonly DeviceStep[],
  killAt?: string,
): Promise<DeviceContent | undefined> {
  const started = start(program('mortal-device'), [folder, server, JSON.stringify(steps)], { KILL_AT: killAt })
  const { signal, code } = await started.exit
  if (signal === 'SIGKILL') return undefined
  const { out, error } = started.output()
  if (code !== 0) throw new Error(`the device ended with ${code}: ${error}`)
  return JSON.parse(out) as DeviceContent
}

/** Reads the backend's database: its objects, and the number of calls for each idempotency key. */
export function backendOf(folder: string): {
  readonly objects: BackendContent
  readonly times: (source: string) => readonly number[]
} {
  const Database = createRequire(import.meta.url)('better-sqlite3') as typeof BetterSqlite3
  const database = new Database(join(folder, 'backend.sqlite'), { readonly: true })
  const rows = database.prepare('SELECT source, id, attributes FROM object').all() as {
    source: string
    id: string
    attributes: string
  }[]
  const calls = database.prepare('SELECT source, times FROM call').all() as { source: string; times: number }[]
  database.close()
  const objects: Record<string, Record<string, Record<string, unknown>>> = { Safe: {}, Unsafe: {} }
  for (const { source, id, attributes } of rows) {
    objects[source] = { ...objects[source], [id]: JSON.parse(attributes) }
  }
  return { objects, times: source => calls.filter(call => call.source === source).map(({ times }) => times) }
}
