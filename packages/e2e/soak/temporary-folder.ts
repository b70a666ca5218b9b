import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates an empty folder; call `remove` afterwards. For programs outside Jest. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'godwit-soak-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
