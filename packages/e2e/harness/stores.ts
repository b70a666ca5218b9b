import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new empty folder and what removes it. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'godwit-e2e-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** The stores that every journey runs over: a name, and the address in a folder. */
export const STORES: readonly { readonly name: string; readonly address: (folder: string) => string }[] = [
  { name: 'memory', address: () => 'memory:' },
  { name: 'SQLite', address: folder => `sqlite:${join(folder, 'godwit.sqlite')}` },
]
