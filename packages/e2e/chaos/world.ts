import { AdminClient } from '@godwit/admin-client'
import type { Store } from '@godwit/store'
import { connectRedisStore } from '@godwit/store-redis'
import { type RoundRobin, roundRobin } from '../harness/round-robin.js'
import { ADMIN_PASSWORD } from '../harness/server-process.js'
import { temporaryFolder } from '../harness/stores.js'
import { type Switchboard, switchboard } from '../harness/switchboard.js'
import { App } from './app.js'
import { Member } from './fleet.js'
import { Ledger } from './ledger.js'
import { ScriptedBackend } from './scripted-backend.js'

/** Lease duration of queries and calls of the scripted sources, in seconds. */
export const LEASE = 2

/** Servers on one Redis behind a load balancer, a backend, and apps on devices. */
export interface ChaosWorld {
  readonly backend: ScriptedBackend
  readonly servers: readonly Member[]
  /** The switchboard between each server and Redis, by the server's name; empty without `lines`. */
  readonly lines: ReadonlyMap<string, Switchboard>
  readonly proxy: RoundRobin
  readonly apps: readonly App[]
  /** Adds a device. */
  join(name: string, login: string): Promise<App>
  readonly ledger: Ledger
  /** The store that the servers share. */
  readonly store: Store
  admin(): Promise<AdminClient>
  /** Closes devices, proxy and backend. The servers end with the test's other processes. */
  close(): Promise<void>
}

export interface ChaosOptions {
  /** Returns the address of Redis for a folder. */
  readonly address: (folder: string) => string | Promise<string>
  /** Names and logins: ada, grace or linus. */
  readonly devices: readonly (readonly [name: string, login: string])[]
  readonly limits?: object
  /** Whether writes go through job queues. */
  readonly queued?: boolean
  /** Whether devices hold event streams open. */
  readonly listening?: boolean
  /** Port of Redis on loopback, which each server then reaches over a separate switchboard. */
  readonly lines?: number
}

export async function openWorld({
  address,
  devices,
  limits = {},
  queued,
  listening = false,
  lines: port,
}: ChaosOptions): Promise<ChaosWorld> {
  const folder = temporaryFolder()
  const backend = await ScriptedBackend.open()
  const redis = await address(folder.path)
  const options = { store: redis, backend: backend.url, limits, queued }
  const lines = new Map<string, Switchboard>()
  const servers: Member[] = []
  // One after the other, because the first creates the admin.
  for (const name of ['one', 'two']) {
    const line = port === undefined ? undefined : await switchboard(port)
    if (line) lines.set(name, line)
    const store = line ? redis.replace(`:${port}`, `:${line.port}`) : redis
    servers.push(await Member.start(name, { ...options, store }))
  }
  const proxy = await roundRobin(servers.map(({ url }) => url))
  await proxy.untilReady(servers.length)
  const ledger = new Ledger()
  const opening = { folder: folder.path, server: proxy.url, ledger, eventStream: listening }
  const apps: App[] = []
  const join = async (name: string, login: string): Promise<App> => {
    const app = await App.open({ name, login }, opening)
    apps.push(app)
    return app
  }
  for (const [name, login] of devices) await join(name, login)
  const store = await connectRedisStore(redis)
  return {
    backend,
    servers,
    lines,
    proxy,
    apps,
    join,
    ledger,
    store,
    admin: () => AdminClient.login({ url: proxy.url, login: 'admin', password: ADMIN_PASSWORD }),
    async close() {
      await Promise.all(apps.map(({ sdk }) => sdk.close()))
      await proxy.close()
      await backend.close()
      await store.close()
      for (const line of lines.values()) await line.close()
      folder.remove()
    },
  }
}
