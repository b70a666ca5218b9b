import { createHash, randomBytes } from 'node:crypto'
import {
  CLIENT_ID_HEADER,
  type ClientCreated,
  type DeviceSession,
  type Page,
  type PushOutcomes,
} from '@godwit/protocol'
import type { Store } from '@godwit/store'
import { connectRedisStore } from '@godwit/store-redis'
import { openSqliteStore } from '@godwit/store-sqlite'
import { afterEach, describe, expect, test } from '@jest/globals'
import { endAll } from '../harness/process.js'
import { type ServerProcess, startServer } from '../harness/server-process.js'
import { STORES, temporaryFolder } from '../harness/stores.js'

const KILLS = 6
const LOGINS = ['ada', 'grace', 'linus'] as const

afterEach(endAll)

/** A device without the SDK, which pushes notes and uploads unreferenced blobs until the server is killed. */
class Attacker {
  readonly acknowledged = new Set<string>()
  readonly sent = new Set<string>()
  readonly #login: string
  #headers: Readonly<Record<string, string>> = {}
  #number = 0
  #epoch = ''

  constructor(login: string) {
    this.#login = login
  }

  async enter(url: string): Promise<void> {
    const login = { login: this.#login, password: this.#login }
    const { session } = await post<DeviceSession>(`${url}/rc/v1/app/login`, login)
    const authorization = `Bearer ${session}`
    const { client } = await post<ClientCreated>(`${url}/rc/v1/clients`, {}, { authorization })
    this.#headers = { authorization, [CLIENT_ID_HEADER]: client.client_id }
    this.#number = 0
    this.#epoch = (await this.#pull(url)).epoch
  }

  /** Pushes and uploads until a request fails because the server was killed. */
  async attack(url: string): Promise<void> {
    for (;;) {
      const key = randomBytes(16).toString('hex')
      const attributes = { note: key }
      const mutations = [{ number: ++this.#number, key, operation: 'create', object: key, attributes }]
      const body = { epoch: this.#epoch, acknowledged: this.#number - 1, mutations }
      const { outcomes } = await post<PushOutcomes>(`${url}/app/v1/Note`, body, this.#headers)
      if (outcomes.at(-1)?.status === 'applied') this.acknowledged.add(key)
      const bytes = Uint8Array.from(randomBytes(4096))
      const hash = createHash('sha256').update(bytes).digest('hex')
      const query = new URLSearchParams({ hash, size: '4096', offset: '0' })
      const headers = { ...this.#headers, 'content-type': 'application/octet-stream' }
      const answer = await fetch(`${url}/app/v1/Note/blobs?${query}`, { method: 'POST', headers, body: bytes })
      if (answer.ok) this.sent.add(hash)
      await answer.arrayBuffer()
    }
  }

  /** Returns the texts of all notes on the server. */
  async blocked(url: string): Promise<readonly string[]> {
    const notes: string[] = []
    for (let token = ''; ; ) {
      const page = await this.#pull(url, token)
      notes.push(...Object.values(page.insert ?? {}).map(({ note }) => String(note)))
      token = page.token
      if (!page.more) return notes
    }
  }

  async #pull(url: string, token = ''): Promise<Page> {
    const query = new URLSearchParams({ p_size: '5000', ...(token !== '' && { token }) })
    const answer = await fetch(`${url}/app/v1/Note?${query}`, { headers: this.#headers })
    if (!answer.ok) throw new Error(`expected a page, got ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Page
  }
}

async function post<T>(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<T> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}

/** Returns the sum of the charges of an account's blobs. */
async function sumOf({ blobs }: Store, account: string): Promise<number> {
  const scope = JSON.stringify(['source', 'Note', `user:${account}`])
  const all = await blobs.untouched({ since: Number.MAX_SAFE_INTEGER, limit: 100_000 })
  const found = await Promise.all(all.filter(blob => blob.scope === scope).map(blob => blobs.find(blob)))
  return found.reduce((sum, facts) => sum + (facts ? facts.size + 1024 : 0), 0)
}

/** Resolves when each attacker has uploaded `more` further blobs. */
async function done(attackers: readonly Attacker[], more: number): Promise<void> {
  const targets = attackers.map(({ sent }) => sent.size + more)
  while (attackers.some(({ sent }, index) => sent.size < (targets[index] as number)))
    await new Promise(resolve => setTimeout(resolve, 5))
}

async function expectIntact(path: string): Promise<void> {
  const store = await openSqliteStore(path)
  expect(await store.checkIntegrity()).toMatchObject({ intact: true, problems: [] })
  await store.close()
}

describe.each(STORES.filter(({ name }) => name !== 'memory'))('over $name', ({ name, address }) => {
  test('a server that is killed again and again under attack keeps what it acknowledged', async () => {
    const folder = temporaryFolder()
    const store = await address(folder.path)
    const attackers = LOGINS.map(login => new Attacker(login))
    const begin = (): Promise<ServerProcess> =>
      startServer({ store, config: 'flooded-notes.mjs', environment: { SYNC_LOG_LEVEL: 'error' } })
    for (let kill = 0; kill < KILLS; kill++) {
      const server = await begin()
      const attacks = attackers.map(async attacker => {
        await attacker.enter(server.url)
        await attacker.attack(server.url)
      })
      const ends = Promise.allSettled(attacks)
      await done(attackers, 1 + ((randomBytes(1)[0] as number) % 40))
      await server.kill()
      await ends
    }
    const server = await begin()
    for (const attacker of attackers) {
      await attacker.enter(server.url)
      const blocked = await attacker.blocked(server.url)
      expect(blocked.length).toBe(new Set(blocked).size)
      expect(blocked).toEqual(expect.arrayContaining([...attacker.acknowledged]))
    }
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    await server.kill('SIGTERM')
    const left =
      name === 'SQLite' ? await openSqliteStore(store.slice('sqlite:'.length)) : await connectRedisStore(store)
    for (const [index, login] of LOGINS.entries()) {
      expect(attackers[index]?.acknowledged.size).toBeGreaterThan(0)
      const [charged, sum] = [await left.blobs.charged(login), await sumOf(left, login)]
      expect(charged).toBeGreaterThanOrEqual(sum)
      // On Redis, each kill may leave a charge without its blob.
      expect(charged - sum).toBeLessThanOrEqual(name === 'SQLite' ? 0 : KILLS * (4096 + 1024))
    }
    await left.close()
    if (name === 'SQLite') await expectIntact(store.slice('sqlite:'.length))
    folder.remove()
  }, 240_000)
})
