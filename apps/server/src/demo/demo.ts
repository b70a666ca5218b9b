import { join, parse } from 'node:path'
import type { Attributes } from '@godwit/protocol'
import type { SyncServerOptions } from '@godwit/server'
import { defineSource } from '@godwit/server'
import { cities } from './cities.js'
import { seedVisits } from './seed-visits.js'
import { openVisitBackend } from './visit-backend.js'
import { visitsIn } from './visits.js'

export interface Demo {
  readonly sources: SyncServerOptions['sources']
  close(): void | Promise<void>
}

export interface DemoOptions {
  /** True if its users begin with three visits each. */
  readonly hasVisits: boolean
}

/** Notices for all users. Without a query only pushes change them: `godwit push Notice '*' notices.json`. */
export const notices = defineSource<Attributes>({ name: 'Notice', partition: 'app', pollInterval: -1 })

/** Cities, notices that only pushes bring, and visits whose backend keeps a file beside the store's: `data/godwit.sqlite` → `data/godwit-visits.sqlite`; in memory without one. */
export function openDemo(storePath: string | undefined, { hasVisits }: DemoOptions): Demo {
  const backend = openVisitBackend(storePath === undefined ? ':memory:' : visitsPathOf(storePath))
  if (hasVisits) seedVisits(backend)
  return { sources: [cities, visitsIn(backend), notices], close: () => backend.close() }
}

function visitsPathOf(path: string): string {
  const { dir, name, ext } = parse(path)
  return join(dir, `${name}-visits${ext}`)
}
