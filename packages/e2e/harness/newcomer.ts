import { spawnSync } from 'node:child_process'
import { AdminClient } from '@godwit/admin-client'
import { freePort } from '@godwit/testing'
import { GODWIT, newcomerFolder, PASSWORD } from './newcomer-folder.js'
import { STORES } from './stores.js'
import type { ScreenTerminal } from './terminal.js'

/** The stores that a newcomer's programs use. */
export const DURABLE_STORES = STORES.filter(({ name }) => name !== 'memory')

/** The app's program: its arguments are the device's folder and the server's URL; `deeds` are the app's commands. */
const APP = `
import { createInterface } from 'node:readline'
const [directory, server] = process.argv.slice(2)
const say = value => console.log(JSON.stringify(value))
const failure = error => ({ failed: error.code ?? 'none', message: error.message })
const { open } = await import('./devices.js')
const { sdk, deeds } = await open({ directory, server })
for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...given] = JSON.parse(line)
  const answer = await Promise.resolve().then(() => deeds[name](...given)).catch(failure)
  say({ did: name, answer: answer ?? null })
  if (name === 'close') break
}
await sdk.close()
process.exit(0)
`

/** A server started as an operator would, and its clients. */
export interface NewcomerServer {
  readonly url: string
  readonly admin: AdminClient
  /** The token used by `admin`. */
  readonly token: string
  /** Returns the lines logged so far. */
  readonly log: () => readonly LogLine[]
  /** Runs a command of the operator and returns its output. */
  readonly godwit: (...words: readonly string[]) => string
  /** Restarts the process at the same address. */
  readonly restart: () => Promise<void>
}

export interface LogLine {
  readonly [name: string]: unknown
}

/** The process of an app. Calls run one after the other. */
export interface NewcomerDevice {
  do<T>(name: string, ...given: readonly unknown[]): Promise<T>
  /** Closes the app as its user would. */
  close(): Promise<void>
}

export interface NewcomerOptions {
  /** The text of `godwit.config.js`. */
  readonly config: string
  /** A module that exports `open({ directory, server })`, which resolves to `sdk` and `deeds`. */
  readonly devices: string
}

/** Creates a folder with the installed packages; its processes end after the tests of the file. */
export function newcomer({ config, devices }: NewcomerOptions) {
  const { path, begin, environment } = newcomerFolder({
    'godwit.config.js': config,
    'devices.js': devices,
    'app.js': APP,
  })

  return {
    path,

    async serve(store: string, more: NodeJS.ProcessEnv = {}): Promise<NewcomerServer> {
      const port = String(await freePort())
      const url = `http://127.0.0.1:${port}`
      const names = { PORT: port, SYNC_CONFIG: 'godwit.config.js', SYNC_STORE: store, SYNC_ADMIN_PASSWORD: PASSWORD }
      const env = environment({ ...names, ...more })
      const processes: ScreenTerminal[] = []
      const start = async (): Promise<void> => {
        const server = begin(GODWIT, ['start'], env)
        await server.until(line => line === `godwit listening on ${url}`)
        processes.push(server)
      }
      await start()
      const { token } = await AdminClient.login({ url, login: 'admin', password: PASSWORD })
      const read = (): string => processes.map(server => server.read()).join('')
      return {
        url,
        admin: new AdminClient({ url, token }),
        token,
        log: () => read().split('\n').flatMap(toLogLine),
        godwit(...words) {
          const { stdout, stderr } = spawnSync(GODWIT, words, { cwd: path, env, encoding: 'utf8' })
          return stdout + stderr
        },
        async restart() {
          await processes.at(-1)?.end()
          await start()
        },
      }
    },

    /** Starts an app on a device of this name. Several at once may share the name and thus the device's files. */
    device(name: string, url: string, more: NodeJS.ProcessEnv = {}): NewcomerDevice {
      const app = begin(process.execPath, ['app.js', name, url], environment(more))
      let last: Promise<unknown> = Promise.resolve()
      const ask = async (named: string, given: readonly unknown[]): Promise<unknown> => {
        app.child.stdin?.write(`${JSON.stringify([named, ...given])}\n`)
        return JSON.parse(await app.until(line => line.startsWith(`{"did":"${named}"`))).answer
      }
      const deed = <T>(named: string, ...given: readonly unknown[]): Promise<T> => {
        const answer = last.then(() => ask(named, given))
        last = answer.catch(() => {})
        return answer as Promise<T>
      }
      return {
        do: deed,
        async close() {
          const isOver = new Promise(resolve => app.child.once('close', resolve))
          await deed('close')
          await isOver
        },
      }
    },
  }
}

const toLogLine = (line: string): readonly LogLine[] => (line.startsWith('{') ? [JSON.parse(line) as LogLine] : [])
