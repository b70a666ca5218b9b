import { createSyncServer, defineSource, type SyncServer } from '@godwit/server'
import { openMemoryStore, type Store } from '@godwit/store'
import { bundleForBrowser, type StaticServer, serveFiles, sqliteWasm } from '../harness/browser-bundle.js'
import type { Profile, Tab } from '../harness/tabs.js'

/** Scripts that run in a worker before its own. */
export interface Preludes {
  readonly [worker: string]: string
}

/** Serves the pages of a small app and its worker. A page with `worker=/<name>.js` starts the worker with that prelude. */
export async function servePages(preludes: Preludes = {}): Promise<StaticServer> {
  const worker = await bundleForBrowser({ entry: 'packages/e2e/browser/worker/app-worker.ts' })
  const others = Object.entries(preludes).map(([name, prelude]) => [`/${name}.js`, `{${prelude}}\n${worker}`] as const)
  return serveFiles({
    '/index.html': '<!doctype html><title>app</title><script type="module" src="/page.js"></script>',
    '/page.js': await bundleForBrowser({ entry: 'packages/e2e/browser/worker/app-page.ts' }),
    '/worker.js': worker,
    ...Object.fromEntries(others),
    '/sqlite3.wasm': sqliteWasm(),
  })
}

export interface AppParameters {
  readonly [name: string]: string
}

/** Opens a page, with the parameters of its address. A script runs before those of the page. */
export const openTab = (
  profile: Profile,
  { url }: Pick<StaticServer, 'url'>,
  parameters: AppParameters = {},
  script?: string,
): Promise<Tab> => profile.open(`${url}/?${new URLSearchParams(parameters)}`, script)

type Notes = Map<string, { readonly [name: string]: unknown }>

export interface NotesServer {
  readonly url: string
  readonly server: SyncServer
  readonly store: Store
  /** What the backend has. */
  readonly notes: Notes
}

export interface NotesOptions {
  readonly notes?: Notes
  /** What everybody has, by id. Default: there is no such source. */
  readonly places?: ReadonlyMap<string, { readonly name: string }>
  readonly port?: number
  /** Default: one in memory. */
  readonly store?: Store
  /** The backend takes no new note before this is resolved. Default: at once. */
  readonly ready?: Promise<void>
}

/** A sync server on another origin than the pages, with the backend of their notes. */
export async function serveNotes(
  origins: readonly string[],
  { notes = new Map(), places, port = 0, store = openMemoryStore(), ready }: NotesOptions = {},
): Promise<NotesServer> {
  let last = notes.size
  const source = defineSource({
    name: 'Note',
    pollInterval: 0,
    query: async () => Object.fromEntries(notes) as never,
    async create(attributes) {
      await ready
      const id = `note-${++last}`
      notes.set(id, attributes)
      return { id }
    },
    async update(id, attributes) {
      notes.set(id, { ...notes.get(id), ...attributes })
    },
    async delete(id) {
      notes.delete(id)
    },
  })
  const server = createSyncServer({
    store,
    sources: places === undefined ? [source] : [source, placesSource(places)],
    users: ['ada', 'grace'].map(login => ({ login, password: login })),
    origins,
    limits: { passwordCost: 16 },
  })
  const { url } = await server.listen({ port })
  return { url, server, notes, store }
}

const placesSource = (places: NonNullable<NotesOptions['places']>) =>
  defineSource({ name: 'Place', partition: 'app', pollInterval: 3600, query: async () => Object.fromEntries(places) })
