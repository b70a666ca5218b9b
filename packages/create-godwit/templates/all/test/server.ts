import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Server {
  readonly url: string
  stop(): Promise<unknown>
}

/** Data of this run: nothing of yours is touched. */
export const folder = mkdtempSync(join(tmpdir(), 'my-app-'))

export async function startServer(): Promise<Server> {
  const store = { SYNC_STORE: 'memory:', SYNC_PASSWORD_COST: '16' }
  const env = { ...process.env, ...store, PORT: '0', BACKEND_PORT: '9001', DATA: join(folder, 'data') }
  const words = ['node_modules/godwit/dist/godwit.js', 'dev', '--server-only']
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const text of child.stdout.setEncoding('utf8')) {
    const [, url] = /^godwit listening on (\S+)/.exec(text) ?? []
    if (url) return { url, stop: () => Promise.all([once(child, 'exit'), child.kill()]) }
  }
  throw new Error('The server ended before it listened: see its output above.')
}
