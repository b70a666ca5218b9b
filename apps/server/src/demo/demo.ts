import { join, parse } from 'node:path'
import type { SyncServerOptions } from '@godwit/server'
import { cities } from './cities.js'
import { notices } from './notices.js'
import { openVisitBackend } from './visit-backend.js'
import { visitsIn } from './visits.js'

export interface Demo {
  readonly sources: SyncServerOptions['sources']
  close(): void
}

/** Cities, notices that only pushes bring, and visits whose backend keeps a file beside the store's: `data/godwit.sqlite` → `data/godwit-visits.sqlite`; in memory without one. */
export function openDemo(storePath: string | undefined): Demo {
  const backend = openVisitBackend(storePath === undefined ? ':memory:' : beside(storePath))
  return { sources: [cities, visitsIn(backend), notices], close: () => backend.close() }
}

function beside(path: string): string {
  const { dir, name, ext } = parse(path)
  return join(dir, `${name}-visits${ext}`)
}
