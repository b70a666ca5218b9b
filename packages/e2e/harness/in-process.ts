import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { CheckedModels, Models } from '@godwit/model'
import { openSdk, type Sdk } from '@godwit/model/node'
import { createSyncServer, type SyncServerOptions } from '@godwit/server'
import { openMemoryStore, type Store, type StoreOptions } from '@godwit/store'
import { openSqliteStore } from '@godwit/store-sqlite'
import { temporaryFolder } from './stores.js'

export type OpenTestStore = (folder: string, options?: StoreOptions) => Promise<Store>

/** Stores in this process, for journeys that inspect them or break single requests. */
export const OPEN_STORES: readonly { readonly name: string; readonly open: OpenTestStore }[] = [
  { name: 'memory', open: async (_, options) => openMemoryStore(options) },
  { name: 'SQLite', open: (folder, options) => openSqliteStore(join(folder, 'godwit.sqlite'), options) },
]

/** Intercepts a request of a device; `go` sends the request or another one. */
export type FetchInterceptor = (request: Request, go: (other?: Request) => Promise<Response>) => Promise<Response>

export interface InProcess {
  readonly folder: string
  readonly store: Store
  /** `METHOD /path` of every request so far. */
  readonly requests: string[]
  /** Milliseconds by which the devices' clocks are ahead. */
  ahead: number
  /** Intercepts requests between devices and server. Default: passes them on. */
  meddle: FetchInterceptor
  /** Opens a logged-in device in a folder of this name; it syncs only on request. */
  device<const Ms extends Models<Ms>>(name: string, models: CheckedModels<Ms>, login?: string): Promise<Sdk<Ms>>
  close(): Promise<void>
}

/** Starts a server in this process with the users ada and grace, and devices that reach it without a socket. */
export async function inProcess(open: OpenTestStore, options: Omit<SyncServerOptions, 'store'>): Promise<InProcess> {
  const folder = temporaryFolder()
  const store = await open(folder.path, options.clock && { clock: options.clock })
  const users = ['ada', 'grace'].map(login => ({ login, password: login }))
  const limits = { passwordCost: 16, ...options.limits }
  const server = createSyncServer({ users, ...options, store, limits })
  const sdks: { close(): Promise<void> }[] = []
  const world: InProcess = {
    folder: folder.path,
    store,
    requests: [],
    ahead: 0,
    meddle: (_, go) => go(),
    device: (async <const Ms extends Models<Ms>>(name: string, models: CheckedModels<Ms>, login = 'ada') => {
      const fetching: typeof fetch = (input, init) => {
        const request = new Request(input, init)
        world.requests.push(`${request.method} ${new URL(request.url).pathname}`)
        return world.meddle(request, (other = request) => server.fetch(other))
      }
      const directory = join(folder.path, name)
      const clock = (): number => Date.now() + world.ahead
      const options = { directory, server: 'http://sync.test', fetch: fetching, eventStream: false, clock }
      const sdk = await openSdk<Ms>({ ...options, models })
      sdk.pollInterval = 0
      sdks.push(sdk)
      await sdk.login(login, login)
      return sdk
      // Without the assertion, `models` would be inferred as its checked type.
    }) as InProcess['device'],
    async close() {
      for (const sdk of sdks) await sdk.close()
      await server.close()
      await store.close()
      folder.remove()
    },
  }
  return world
}

/** Returns the response with a body that fails after this number of bytes, like a broken connection. */
export function truncateResponse(bytes: number, answer: Response): Response {
  let left = bytes
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      controller.enqueue(part.subarray(0, left))
      left -= part.length
      if (left <= 0) controller.error(new TypeError('the network is gone'))
    },
  })
  return new Response(answer.body?.pipeThrough(cut) ?? null, answer)
}

export const randomContent = (bytes: number): Buffer => randomBytes(bytes)
