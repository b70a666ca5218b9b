import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type ModelSpecs, openSdk, type Sdk } from '@godwit/model/node'
import { createSyncServer, type SyncServerOptions } from '@godwit/server'
import { openMemoryStore, type Store } from '@godwit/store'
import { openSqliteStore } from '@godwit/store-sqlite'
import { temporaryFolder } from './stores.js'

/** Stores in this process, for journeys that look into them or break single requests. */
export const OPEN_STORES: readonly { readonly name: string; readonly open: (folder: string) => Promise<Store> }[] = [
  { name: 'memory', open: async () => openMemoryStore() },
  { name: 'SQLite', open: folder => openSqliteStore(join(folder, 'godwit.sqlite')) },
]

/** One request of a device, and what becomes of it. */
export type Meddle = (request: Request, go: () => Promise<Response>) => Promise<Response>

export interface InProcess {
  readonly folder: string
  readonly store: Store
  /** `METHOD /path` of every request so far. */
  readonly requests: string[]
  /** Whoever stands between devices and server. Default: nobody. */
  meddle: Meddle
  /** A device in a folder of this name, logged in; it syncs only when asked. */
  device<const Specs extends ModelSpecs>(name: string, models: Specs, login?: string): Promise<Sdk<Specs>>
  close(): Promise<void>
}

/** A server in this process with the users ada and grace, and devices that reach it without a socket. */
export async function inProcess(
  open: (folder: string) => Promise<Store>,
  options: Omit<SyncServerOptions, 'store'>,
): Promise<InProcess> {
  const folder = temporaryFolder()
  const store = await open(folder.path)
  const users = ['ada', 'grace'].map(login => ({ login, password: login }))
  const limits = { passwordCost: 16, ...options.limits }
  const server = createSyncServer({ users, ...options, store, limits })
  const sdks: { close(): Promise<void> }[] = []
  const world: InProcess = {
    folder: folder.path,
    store,
    requests: [],
    meddle: (_, go) => go(),
    async device(name, models, login = 'ada') {
      const fetching: typeof fetch = (input, init) => {
        const request = new Request(input, init)
        world.requests.push(`${request.method} ${new URL(request.url).pathname}`)
        return world.meddle(request, () => server.fetch(request))
      }
      const directory = join(folder.path, name)
      const sdk = await openSdk({ directory, server: 'http://sync.test', fetch: fetching, eventStream: false, models })
      sdk.pollInterval = 0
      sdks.push(sdk)
      await sdk.login(login, login)
      return sdk
    },
    async close() {
      for (const sdk of sdks) await sdk.close()
      await server.close()
      await store.close()
      folder.remove()
    },
  }
  return world
}

export const noise = (bytes: number): Buffer => randomBytes(bytes)
