import { randomBytes, randomInt } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AdminClient } from '@godwit/admin-client'
import type { Page, PushOutcomes } from '@godwit/protocol'
import { redisIsThere, startRedis } from '@godwit/testing'
import { connect } from './connection.js'
import { type Client, type System, type SystemKind, startProgram } from './system.js'

const PASSWORD = 'a password of the bench'

/** Opens a store for a server; `folder` is empty. */
type OpenStore = (folder: string) => Promise<{ readonly address: string; readonly pid?: number; stop(): Promise<void> }>

const sqlite: OpenStore = async folder => ({
  address: `sqlite:${join(folder, 'godwit.sqlite')}`,
  stop: async () => undefined,
})

/** Starts a Redis with the persistence recommended for production. */
const redis: OpenStore = async () => {
  const { url, pid, stop } = await startRedis({ appendonly: 'yes', appendfsync: 'everysec' })
  return { address: url, pid, stop }
}

/** The deployable server, with its checks of sessions and rights. */
const godwitOn = (name: string, openStore: OpenStore): SystemKind => ({
  name,
  writes: ['once', 'again'],
  async start(folder, origin) {
    const store = await openStore(folder)
    const program = fileURLToPath(new URL('../../../apps/server/dist/godwit.js', import.meta.url))
    const started = await startProgram(program, ['start'], {
      NODE_ENV: 'production',
      PORT: '0',
      SYNC_STORE: store.address,
      SYNC_CONFIG: fileURLToPath(new URL('../server-config.mjs', import.meta.url)),
      SYNC_ADMIN_PASSWORD: PASSWORD,
      SYNC_LOG_LEVEL: 'error',
      ...(origin !== undefined && { SYNC_ORIGINS: origin }),
    })
    const { token } = await AdminClient.login({ url: started.url, login: 'admin', password: PASSWORD })
    const admin = new AdminClient({ url: started.url, token })
    const backend = await connect(started.url)
    const users = new Map<string, Promise<unknown>>()
    return {
      name,
      ...started,
      ...(store.pid !== undefined && { storePid: store.pid }),
      async ingest(user, objects) {
        const body = JSON.stringify({ user_id: user, objects })
        const { status, text } = await backend.send(
          'POST',
          '/app/v1/Item/push_objects',
          `X-Sync-API-TOKEN: ${token}\r\n`,
          body,
        )
        if (status !== 200) throw new Error(text)
      },
      async client(user) {
        const known = users.get(user) ?? admin.users.create({ login: user, password: user })
        users.set(user, known)
        await known
        return device(started.url, user)
      },
      async stop() {
        backend.close()
        await started.stop()
        await store.stop()
      },
    } satisfies System
  },
})

export const godwit = godwitOn('Godwit on SQLite', sqlite)
/** Godwit on every store available on this machine. */
export const godwits: readonly SystemKind[] = [godwit, ...(redisIsThere() ? [godwitOn('Godwit on Redis', redis)] : [])]

async function device(url: string, user: string): Promise<Client> {
  const connection = await connect(url)
  const ask = async <T>(method: string, path: string, headers: string, body?: unknown): Promise<T> => {
    const { status, text } = await connection.send(
      method,
      path,
      headers,
      body === undefined ? undefined : JSON.stringify(body),
    )
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`)
    return JSON.parse(text) as T
  }
  const { session } = await ask<{ session: string }>('POST', '/rc/v1/app/login', '', { login: user, password: user })
  const bearer = `Authorization: Bearer ${session}\r\n`
  const { client } = await ask<{ client: { client_id: string } }>('POST', '/rc/v1/clients', bearer, {})
  const headers = `${bearer}X-Sync-CLIENT-ID: ${client.client_id}\r\n`
  const tokens: Record<string, string> = {}
  const progress: Record<string, { epoch: string; number: number; acknowledged: number }> = {}

  const page = async (source: string): Promise<Page> => {
    const token = tokens[source]
    const answer = await ask<Page>(
      'GET',
      `/app/v1/${source}?p_size=1000${token === undefined ? '' : `&token=${token}`}`,
      headers,
    )
    tokens[source] = answer.token
    return answer
  }
  return {
    async pull() {
      for (let count = 0; ; ) {
        const answer = await page('Item')
        count += answer.insert === undefined ? 0 : Object.keys(answer.insert).length
        if (!answer.more) return count
      }
    },
    async write(kind, count) {
      const source = kind === 'once' ? 'Once' : 'Again'
      progress[source] ??= { epoch: (await page(source)).epoch, number: 0, acknowledged: 0 }
      const at = progress[source]
      // Keys and ids in the format of devices.
      const mutations = Array.from({ length: count }, () => ({
        number: ++at.number,
        key: Date.now().toString(16).padStart(12, '0') + randomBytes(10).toString('hex'),
        operation: 'create' as const,
        object: `${Date.now()}${randomInt(1e9)}${randomInt(1e9)}`,
        attributes: { note: 'a visit' },
      }))
      const { outcomes } = await ask<PushOutcomes>('POST', `/app/v1/${source}`, headers, {
        epoch: at.epoch,
        acknowledged: at.acknowledged,
        mutations,
      })
      const applied = outcomes.filter(outcome => outcome.status === 'applied')
      if (applied.length !== count) throw new Error(`${applied.length} of ${count} writes were applied`)
      at.acknowledged = outcomes.at(-1)?.outcome ?? at.acknowledged
    },
    close: () => connection.close(),
  }
}
