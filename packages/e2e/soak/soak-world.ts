import { API_TOKEN_HEADER, CLIENT_ID_HEADER, type ObjectMap } from '@godwit/protocol'
import { createSyncServer, defineSource } from '@godwit/server'
import type { OpenedStore } from './open-store.js'
import { temporaryFolder } from './temporary-folder.js'

const ADMIN = { login: 'admin', password: 'a long admin password' }

type Ask<T> = (method: string, path: string, body?: unknown, signal?: AbortSignal) => Promise<T>

export interface Caller {
  /** Headers of each request. */
  readonly headers: Readonly<Record<string, string>>
  readonly request: Ask<Response>
  /** Returns the response as JSON; throws unless it succeeded. */
  readonly call: Ask<unknown>
}

/** A server in this process on a socket, and its callers. */
export interface SoakWorld {
  readonly url: string
  /** Folder for the files of devices. */
  readonly folder: string
  /** Closed before the server. */
  readonly closing: (() => Promise<void>)[]
  device(login: string): Promise<Caller>
  /** Registers another device of a user in the same session. */
  nextDevice(caller: Caller): Promise<Caller>
  admin(): Promise<Caller>
  /** Resolves when no job of this queue waits or runs. */
  drained(queue: string): Promise<void>
  close(): Promise<void>
}

/** Returns objects of about 250 bytes each. */
export function objectsFrom(first: number, count: number): ObjectMap {
  const objects: { [id: string]: { [name: string]: string } } = {}
  for (let at = first; at < first + count; at++) {
    objects[`object ${at}`] = { name: `number ${at}`, text: `${at} ${'lorem ipsum '.repeat(15)}` }
  }
  return objects
}

/** Number of objects in each query result. */
const RESULT = 500
const result = () => objectsFrom(0, RESULT)

const SOURCES = [
  defineSource({ name: 'Queried', partition: 'app', pollInterval: 0, query: async () => result() }),
  defineSource({
    name: 'Queued',
    partition: 'app',
    pollInterval: 0,
    queryQueue: 'queries',
    async *query() {
      yield result()
    },
  }),
  defineSource({
    name: 'Failing',
    partition: 'app',
    pollInterval: 0,
    async *query() {
      yield result()
      throw new Error('half way')
    },
  }),
  defineSource({
    name: 'Note',
    pollInterval: -1,
    async create() {},
    async update(_id, _changes, { signal }) {
      signal.throwIfAborted()
    },
  }),
  defineSource({ name: 'Pushed', partition: 'app', pollInterval: -1 }),
  defineSource({ name: 'Bulky', partition: 'app', pollInterval: -1 }),
  defineSource({
    name: 'Searched',
    search: async (_search, { signal }) => {
      signal.throwIfAborted()
      return result()
    },
  }),
]

/** Opens the server. `sources` are added to those of the rounds. */
export async function openSoakWorld(
  { store, jobs }: Pick<OpenedStore, 'store' | 'jobs'>,
  sources: readonly object[] = [],
): Promise<SoakWorld> {
  const server = createSyncServer({
    store,
    jobs,
    sources: [...SOURCES, ...(sources as typeof SOURCES)],
    admin: ADMIN,
    limits: { passwordCost: 16, bulkLife: 0.001, sweepInterval: 0.2, statisticsInterval: 0.2 },
  })
  const { url } = await server.listen({ port: 0 })
  const folder = temporaryFolder()
  const closing: SoakWorld['closing'] = []
  const callerWith = (headers: Readonly<Record<string, string>>): Caller => {
    const request: Ask<Response> = (method, path, body, signal) =>
      fetch(url + path, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      })
    const call: Ask<unknown> = async (...requested) => {
      const answer = await request(...requested)
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${requested[0]} ${requested[1]}: ${answer.status} ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    }
    return { headers, request, call }
  }
  const admin = async (): Promise<Caller> => {
    const { request } = callerWith({})
    const answer = await request('POST', '/rc/v1/system/login', ADMIN)
    return callerWith({ [API_TOKEN_HEADER]: await answer.text() })
  }
  const nextDevice = async ({ headers }: Caller): Promise<Caller> => {
    const { [CLIENT_ID_HEADER]: _, ...session } = headers
    const { client } = (await callerWith(session).call('POST', '/rc/v1/clients', {})) as {
      readonly client: { readonly client_id: string }
    }
    return callerWith({ ...session, [CLIENT_ID_HEADER]: client.client_id })
  }
  let adding: Promise<Caller> | undefined
  return {
    url,
    folder: folder.path,
    closing,
    admin,
    async drained(queue) {
      while ((await jobs.list({ queue, limit: 1 })).length > 0) await new Promise(resolve => setTimeout(resolve, 2))
    },
    async device(login) {
      const password = 'a password'
      // One token for all calls: each would be stored for a month.
      adding ??= admin()
      await (await adding).request('POST', '/rc/v1/users', { attributes: { login, password } })
      const { call } = callerWith({})
      const { session } = (await call('POST', '/rc/v1/app/login', { login, password })) as { readonly session: string }
      return nextDevice(callerWith({ authorization: `Bearer ${session}` }))
    },
    nextDevice,
    async close() {
      for (const close of closing) await close()
      await server.close()
      folder.remove()
    },
  }
}
