import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSyncServer, type SyncServer } from '@godwit/server'
import { openMemoryStore, type Store, type StoreOptions } from '@godwit/store'
import { connectRedisStore } from '@godwit/store-redis'
import { checkSqliteStore, openSqliteStore } from '@godwit/store-sqlite'
import { startRedis } from '@godwit/testing'
import { Dice } from '../simulator/world/dice.js'
import { sourcesOf } from './backends.js'
import { Sender } from './send.js'
import { storeHolds } from './store-holds.js'

export type StoreName = 'memory' | 'sqlite' | 'redis'
export const ADMIN = { login: 'admin', password: 'a long admin password' }

interface OpenedStore {
  readonly store: Store
  /** Ends what is beside it, once it is closed. */
  readonly remove: () => void | Promise<void>
}

/** Each begins empty. */
const OPEN: { readonly [name in StoreName]: (options: StoreOptions) => OpenedStore | Promise<OpenedStore> } = {
  memory: options => ({ store: openMemoryStore(options), remove: () => {} }),
  async sqlite(options) {
    const folder = mkdtempSync(join(tmpdir(), 'godwit-fuzz-'))
    const file = join(folder, 'store.sqlite')
    const remove = () => {
      checkSqliteStore(file)
      rmSync(folder, { recursive: true, force: true })
    }
    return { store: await openSqliteStore(file, options), remove }
  },
  async redis(options) {
    const { url, stop } = await startRedis()
    return { store: await connectRedisStore(url, options), remove: stop }
  },
}

/** A server over a store, with a clock that only the fuzz moves. Reached over a socket, as it is in the world. */
export class FuzzWorld {
  /** What the server logged as an error: somebody would have to look. */
  readonly failures: string[] = []
  readonly #backend: Dice
  readonly #store: Store
  readonly #remove: OpenedStore['remove']
  readonly #clock: { now: number }
  #server: SyncServer | undefined
  #sender: Sender | undefined
  #url = ''

  private constructor(seed: number, { store, remove }: OpenedStore, clock: { now: number }) {
    this.#backend = new Dice(seed + 1)
    this.#store = store
    this.#clock = clock
    this.#remove = remove
  }

  static async open(seed: number, name: StoreName): Promise<FuzzWorld> {
    const clock = { now: Date.parse('2026-01-01T00:00:00Z') }
    return new FuzzWorld(seed, await OPEN[name]({ clock: () => clock.now }), clock)
  }

  get url(): string {
    return this.#url
  }

  get sender(): Sender {
    if (!this.#sender) throw new Error('The server of this world does not run.')
    return this.#sender
  }

  async start(): Promise<void> {
    this.#server = createSyncServer({
      store: this.#store,
      sources: sourcesOf(this.#backend),
      admin: ADMIN,
      resetAllowed: true,
      clock: () => this.#clock.now,
      resolveName: async () => ['93.184.215.14'],
      limits: { passwordCost: 16, stopWait: 2, sweepInterval: 3600, pushWait: 5 },
      pushProviders: { fcm: { send: async () => (this.#backend.chance(0.5) ? 'sent' : 'gone') } },
      log: {
        debug() {},
        info() {},
        warn() {},
        error: (facts, message) => void this.failures.push(`${message} ${JSON.stringify(facts)}`),
      },
    })
    this.#url = (await this.#server.listen({ port: 0 })).url
    this.#sender = new Sender(this.#url)
  }

  async stop(): Promise<void> {
    this.#sender?.close()
    await this.#server?.close()
  }

  pass(seconds: number): void {
    this.#clock.now += seconds * 1000
  }

  /** Removes the present admins, so that the server makes its first one again at its start. */
  async restoreAdmin(): Promise<void> {
    for (const { id, value } of await this.#store.registry.list('user', { limit: 100_000 })) {
      if (value['role'] === 'admin' || id === ADMIN.login) await this.#store.registry.delete('user', id)
    }
    await this.stop()
    await this.start()
  }

  /** Ends the server and looks through what it leaves. */
  async end(): Promise<void> {
    await this.stop()
    await storeHolds(this.#store)
    await this.#store.close()
    await this.#remove()
  }
}
