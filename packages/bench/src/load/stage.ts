import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AdminClient } from '@godwit/admin-client'
import { startRedis } from '@godwit/testing'
import Database from 'better-sqlite3'
import { createClient } from 'redis'
import { items } from '../objects.js'
import { type StartedSystem, startProgram } from '../systems/system.js'
import type { LoadOptions } from './options.js'

const PASSWORD = 'a password of the load'

/** The servers under load, with their store in an empty folder. */
export interface Stage {
  readonly servers: readonly StartedSystem[]
  readonly redis: RedisGauge | undefined
  /** Size of the store in bytes: SQLite files, or Redis' memory. */
  storeBytes(): Promise<number>
  /** Pushes new or changed objects of the shared source, as a backend does. */
  push(first: number, count: number, edition?: number): Promise<void>
  end(): Promise<void>
}

type Address = Pick<Stage, 'redis' | 'storeBytes'> & { readonly address: string; stop(): Promise<void> }

export async function setStage(options: Pick<LoadOptions, 'store' | 'servers' | 'heartbeat'>): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-load-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  const undo: (() => unknown)[] = [() => process.off('exit', remove), remove]
  const end = async (): Promise<void> => {
    for (const act of undo.splice(0).reverse()) await act()
  }
  try {
    const { address, redis, storeBytes, stop } = options.store === 'redis' ? await onRedis() : onSqlite(folder)
    undo.push(stop)
    const servers: StartedSystem[] = []
    for (let count = 0; count < options.servers; count++) {
      const server = await startServer(address, options.heartbeat)
      servers.push(server)
      undo.push(() => server.stop())
    }
    const url = servers[0]?.url ?? ''
    const { token } = await AdminClient.login({ url, login: 'admin', password: PASSWORD })
    const admin = new AdminClient({ url, token })
    const push: Stage['push'] = async (from, count, edition = 0) => {
      for (let first = from; first < from + count; first += 1000)
        await admin.push.objects('Shared', '*', items(first, Math.min(1000, from + count - first), edition))
    }
    return { servers, redis, storeBytes, push, end }
  } catch (error) {
    await end()
    throw error
  }
}

/** Starts a Redis with the persistence recommended for production. */
async function onRedis(): Promise<Address> {
  const server = await startRedis({ appendonly: 'yes', appendfsync: 'everysec' })
  const redis = await redisGauge(server.url)
  const stop = async (): Promise<void> => {
    redis.close()
    await server.stop()
  }
  return { address: server.url, redis, storeBytes: async () => (await redis.read()).memory, stop }
}

function onSqlite(folder: string): Address {
  const file = join(folder, 'godwit.sqlite')
  return {
    address: `sqlite:${file}`,
    redis: undefined,
    storeBytes: async () => bytesOf(file),
    stop: async () => undefined,
  }
}

/** Returns the size of a file and its companions, such as `-wal`, in bytes. */
function bytesOf(file: string): number {
  const database = new Database(file)
  try {
    database.pragma('wal_checkpoint(TRUNCATE)')
    return statSync(file).size
  } finally {
    database.close()
  }
}

const startServer = (address: string, heartbeat: number): Promise<StartedSystem> =>
  startProgram(fileURLToPath(new URL('../../../apps/server/dist/godwit.js', import.meta.url)), ['start'], {
    NODE_ENV: 'production',
    PORT: '0',
    SYNC_STORE: address,
    SYNC_CONFIG: fileURLToPath(new URL('../load-config.mjs', import.meta.url)),
    SYNC_ADMIN_PASSWORD: PASSWORD,
    SYNC_LOG_LEVEL: 'error',
    LOAD_HEARTBEAT: `${heartbeat}`,
  })

/** Reads the statistics of a Redis server. */
interface RedisGauge {
  /** Returns processor time in seconds and memory in bytes. */
  read(): Promise<{ readonly cpu: number; readonly memory: number }>
  close(): void
}

async function redisGauge(url: string): Promise<RedisGauge> {
  const client = createClient({ url })
  await client.connect()
  return {
    async read() {
      const said = `${await client.info('cpu')}${await client.info('memory')}`
      const value = (name: string): number => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(said)?.[1])
      return { cpu: value('used_cpu_user') + value('used_cpu_sys'), memory: value('used_memory') }
    },
    close: () => client.destroy(),
  }
}
