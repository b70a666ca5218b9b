import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new empty folder and what removes it; outside of Jest. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'godwit-soak-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
