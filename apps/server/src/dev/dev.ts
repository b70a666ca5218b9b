import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ProcessHost, start } from '../start.js'
import { startCompanion } from './companion.js'
import { findConfig } from './find-config.js'
import { hasPages, openPages } from './open-pages.js'

/** What `godwit dev` runs beside the server. */
export interface DevOptions {
  /** A module of the app, which runs in this process once the server listens, and its arguments. */
  readonly app: readonly string[]
  /** What the server needs: modules, which run in this process, or commands. */
  readonly companions: readonly string[]
  /** True to start only the server and its companions. */
  readonly serverOnly: boolean
}

/** RECIPE of `godwit dev`: .env → companions → server → the app, in one process. */
export async function dev(host: ProcessHost, { app, companions, serverOnly }: DevOptions): Promise<void> {
  const folder = process.cwd()
  if (existsSync('.env')) process.loadEnvFile('.env')
  // Shared by the configuration and the backend, for this run.
  process.env['BACKEND_SECRET'] ??= randomBytes(24).toString('base64url')
  for (const command of companions) await startCompanion(command, line => void host.stderr.write(`${line}\n`))
  const { url } = await start(host, { SYNC_CONFIG: findConfig(folder), SYNC_LOG_LEVEL: 'warn', ...process.env })
  process.env['GODWIT_URL'] = url
  if (serverOnly) return
  if (hasPages(folder)) host.stdout.write(links(await openPages(folder)))
  else if (app.length > 0) await runApp(app, { host, url })
}

const links = (page: string): string =>
  ['', `  your app         ${page}`, `  a second device  ${page}?device=second`, '', ''].join('\n')

async function runApp(
  [name = '', ...words]: readonly string[],
  { host, url }: { readonly host: ProcessHost; readonly url: string },
): Promise<void> {
  const file = resolve(name)
  const address = url === 'http://127.0.0.1:8675' ? '' : `GODWIT_URL=${url} `
  host.stdout.write(
    ['', '  your app         here', `  a second device  ${address}node ${name} second`, '', ''].join('\n'),
  )
  // The module sees its arguments where it would if Node had started it.
  process.argv = [process.execPath, file, ...words]
  await import(pathToFileURL(file).href)
}
