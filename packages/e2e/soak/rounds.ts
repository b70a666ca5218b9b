import { randomUUID } from 'node:crypto'
import { openSdk } from '@godwit/model/node'
import { CLIENT_ID_HEADER, type JsonValue } from '@godwit/protocol'
import type { Caller, SoakWorld } from './soak-world.js'

/** Prepares one kind of call, and returns the function that makes it. */
export type Round = (world: SoakWorld) => Promise<(time: number) => Promise<unknown>>

const KEY = 'key-of-the-soak-'
const payload = 'x'.repeat(100)

/** Repeated calls, by name. Each leaves the store unchanged, except for acknowledged journal entries. */
export const ROUNDS: { readonly [name: string]: Round } = {
  queries: async ({ device }) => {
    const { call } = await device('queries')
    return () => call('GET', '/app/v1/Queried?p_size=1')
  },
  'queries in a queue': async ({ device, drained }) => {
    const { call } = await device('queued')
    return async () => {
      await call('GET', '/app/v1/Queued?p_size=1')
      // The response does not wait for the query, whose result would otherwise be in the measured heap.
      await drained('queries')
    }
  },
  'queries that fail': async ({ device }) => {
    const { call } = await device('failing')
    return () => call('GET', '/app/v1/Failing?p_size=1')
  },
  'queries of a caller who leaves': async ({ device }) => {
    const { request, call } = await device('leaving')
    return async time => {
      // Some callers stay, so that no query runs while the heap is measured.
      if (time % 20 === 19) return call('GET', '/app/v1/Queried?p_size=1')
      const leaves = new AbortController()
      const answer = request('GET', '/app/v1/Queried?p_size=1', undefined, leaves.signal).catch(() => undefined)
      setImmediate(() => leaves.abort())
      await answer
      return new Promise(resolve => setTimeout(resolve, 3))
    }
  },
  pulls: async ({ device }) => {
    const { call } = await device('pulls')
    return () => call('GET', '/app/v1/Note?p_size=500')
  },
  pushes: async ({ device }) => {
    const { call } = await device('pushes')
    const { epoch } = (await call('GET', '/app/v1/Note?p_size=0')) as { readonly epoch: string }
    let number = 0
    return async time => {
      const mutation = { operation: 'update', object: '1', attributes: { text: `${time} ${payload}` }, was: {} }
      const numbered = { ...mutation, number: ++number, key: `${KEY}${number}` } as JsonValue
      await call('POST', '/app/v1/Note', { epoch, acknowledged: number - 1, mutations: [numbered] })
    }
  },
  'pushed objects': async ({ admin }) => {
    const { call } = await admin()
    const objects = (time: number) => ({ '1': { text: `${time} ${payload}` } })
    return time => call('POST', '/app/v1/Pushed/push_objects', { user_id: '*', objects: objects(time) })
  },
  searches: async ({ device }) => {
    const { call } = await device('searches')
    return () => call('POST', '/rc/v1/app/search', { sources: ['Searched'], search: 'x', max_results: 500 })
  },
  'bulk builds': async ({ device, admin }) => {
    const { call } = await device('bulk')
    const { call: push } = await admin()
    return async time => {
      await push('POST', '/app/v1/Bulky/push_objects', { user_id: '*', objects: { '1': { text: String(time) } } })
      for (;;) {
        const body = { partition_type: 'app', sources: ['Bulky'] }
        const { status } = (await call('POST', '/rc/v1/app/bulk_data', body)) as { readonly status: string }
        if (status !== 'wait') return
        await new Promise(resolve => setTimeout(resolve, 5))
      }
    }
  },
  'event streams': async ({ device }) => {
    const { request } = await device('listens')
    return async () => {
      const leaves = new AbortController()
      const { body } = await request('GET', '/rc/v1/app/events', undefined, leaves.signal)
      const reader = body?.getReader()
      await reader?.read()
      leaves.abort()
      await reader?.read().catch(() => undefined)
    }
  },
  logins: async ({ device, url }) => {
    await device('logs in')
    return async () => {
      const json = { 'content-type': 'application/json' }
      const body = JSON.stringify({ login: 'logs in', password: 'a password' })
      const given = await fetch(`${url}/rc/v1/app/login`, { method: 'POST', headers: json, body })
      const { session } = (await given.json()) as { readonly session: string }
      const headers = { ...json, authorization: `Bearer ${session}` }
      await (await fetch(`${url}/rc/v1/app/logout`, { method: 'POST', headers, body: '{}' })).text()
    }
  },
  'writes and syncs of a device': async ({ url, device, folder, closing }) => {
    await device('synced')
    const sdk = await openSdk({ directory: folder, server: url, eventStream: false })
    closing.push(() => sdk.close())
    sdk.pollInterval = 0
    const note = new sdk.NewORMModel('Note')
    note.enable('sync')
    await sdk.login('synced', 'a password')
    await sdk.sync()
    const { object } = note.create({ text: 'first' })
    return async time => {
      note.find(object)?.updateAttributes({ text: String(time) })
      await sdk.sync()
    }
  },
}

/** Bytes per call retained by the memory store, which other stores have on disk: the records of jobs. */
export const IN_MEMORY: { readonly [name: string]: number } = { 'bulk builds': 2048 }

/** Rounds that add and remove data, by name; the store's size must not change. */
export const REMOVALS: { readonly [name: string]: Round } = {
  'users who come and go': async ({ device, admin }) => {
    const { call: administer } = await admin()
    return async time => {
      const login = `guest-${time}`
      const guest = await device(login)
      await writeNote(guest)
      await guest.call('GET', '/app/v1/Pushed?p_size=500')
      await administer('DELETE', `/rc/v1/users/${login}`)
    }
  },
  'devices that are replaced': async ({ device, nextDevice, admin }) => {
    const { call: administer } = await admin()
    let present = await device('replaced')
    return async () => {
      await writeNote(present)
      await present.call('GET', '/app/v1/Pushed?p_size=500')
      await administer('DELETE', `/rc/v1/users/replaced/clients/${present.headers[CLIENT_ID_HEADER]}`)
      present = await nextDevice(present)
    }
  },
}

/** Pushes the first change of a new client. */
async function writeNote({ call }: Caller): Promise<void> {
  const { epoch } = (await call('GET', '/app/v1/Note?p_size=0')) as { readonly epoch: string }
  const mutation = { operation: 'update', object: '1', attributes: { text: payload }, was: {} }
  const numbered = { ...mutation, number: 1, key: `${KEY}${randomUUID()}` } as JsonValue
  await call('POST', '/app/v1/Note', { epoch, acknowledged: 0, mutations: [numbered] })
}

/** A planted leak that must be detected: each pull retains 2 KB. */
export const PLANTED: { readonly [name: string]: Round } = {
  leaks: async ({ device }) => {
    const { call } = await device('leaks')
    const left: Float64Array[] = []
    return async () => {
      left.push(new Float64Array(256))
      return call('GET', '/app/v1/Note?p_size=500')
    }
  },
}
