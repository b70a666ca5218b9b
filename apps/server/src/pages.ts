import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { StaticFolder } from '@godwit/server'

/** What the demo's page does beyond the strict policy: it runs SQLite in a worker, and shows files of its device. */
const DEMO_POLICY = {
  'script-src': "'self' 'wasm-unsafe-eval'",
  'worker-src': "'self'",
  'img-src': "'self' data: blob:",
}

/** The pages that were built beside this program: the demo at `/` where it runs, and the console. */
export function builtPages({ hasDemo }: { readonly hasDemo: boolean }): readonly StaticFolder[] {
  const visits = { path: '/', folder: folderOf('visits'), policy: DEMO_POLICY }
  const console = { path: '/console', folder: folderOf('console') }
  return [...(hasDemo ? [visits] : []), console].filter(({ folder }) => existsSync(folder))
}

const folderOf = (name: string): string => fileURLToPath(new URL(`../pages/${name}`, import.meta.url))
