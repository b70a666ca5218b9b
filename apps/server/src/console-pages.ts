import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { StaticFolder } from '@godwit/server'

/** The console beside this program. None: it was not built. */
export function consolePages(): readonly StaticFolder[] {
  const folder = fileURLToPath(new URL('../pages/console', import.meta.url))
  return existsSync(folder) ? [{ path: '/console', folder }] : []
}
