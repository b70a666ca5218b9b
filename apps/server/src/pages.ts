import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { StaticFolder } from '@godwit/server'

/** The demo page's additions to the strict policy: it runs SQLite in a worker, shows files of its device, and signs in with a provider on this machine. */
const DEMO_POLICY = {
  'script-src': "'self' 'wasm-unsafe-eval'",
  'worker-src': "'self'",
  'img-src': "'self' data: blob:",
  // The demo provider, whose port the policy of a page that a service worker kept cannot know.
  'connect-src': "'self' http://127.0.0.1:*",
}

/** Returns the folders of pages built with this program: the demo at `/` if it runs, and the console. */
export function builtPages({ hasDemo }: { readonly hasDemo: boolean }): readonly StaticFolder[] {
  const visits = { path: '/', folder: folderOf('visits'), policy: DEMO_POLICY }
  const console = { path: '/console', folder: folderOf('console') }
  return [...(hasDemo ? [visits] : []), console].filter(({ folder }) => existsSync(folder))
}

const folderOf = (name: string): string => fileURLToPath(new URL(`../pages/${name}`, import.meta.url))
