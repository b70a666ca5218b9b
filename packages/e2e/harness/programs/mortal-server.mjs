// A server on SQLite with kill points in its store and its backend. The backend stores its objects and all calls in a separate file.
import { join } from 'node:path'
import { AdminClient } from '@godwit/admin-client'
import { createSyncServer, defineSource } from '@godwit/server'
import { openSqliteStore } from '@godwit/store-sqlite'
import Database from 'better-sqlite3'
import { point, watched } from './kill-at.mjs'

const [folder, port] = process.argv.slice(2)

const backend = new Database(join(folder, 'backend.sqlite'))
backend.pragma('journal_mode = WAL')
backend.exec(
  'CREATE TABLE IF NOT EXISTS object (source TEXT, id TEXT, attributes TEXT, PRIMARY KEY (source, id)); CREATE TABLE IF NOT EXISTS call (source TEXT, key TEXT, id TEXT, times INTEGER, PRIMARY KEY (source, key))',
)

/** A source that counts its calls. Applies each key once when `idempotent`, else every call. */
function source(name, idempotent) {
  const remember = backend.prepare(
    'INSERT INTO call VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE SET times = times + 1 RETURNING times, id',
  )
  const put = backend.prepare('INSERT OR REPLACE INTO object VALUES (?, ?, ?)')
  const get = backend.prepare('SELECT attributes FROM object WHERE source = ? AND id = ?')
  const once = backend.transaction((key, id, run) => {
    const known = remember.get(name, key, id)
    if (known.times === 1 || !idempotent) run()
    return known.id
  })
  const called = run => {
    point('backend', 'before')
    const result = run()
    point('backend', 'after')
    return result
  }
  return defineSource({
    name,
    idempotent,
    pollInterval: 0,
    query: () =>
      Object.fromEntries(
        backend
          .prepare('SELECT id, attributes FROM object WHERE source = ?')
          .all(name)
          .map(({ id, attributes }) => [id, JSON.parse(attributes)]),
      ),
    create: (attributes, { idempotencyKey: key }) =>
      called(() => once(key, `real-${key}`, () => put.run(name, `real-${key}`, JSON.stringify(attributes)))),
    update: (id, changes, { idempotencyKey: key }) =>
      called(() => {
        once(key, id, () => {
          const present = JSON.parse(get.get(name, id)?.attributes ?? '{}')
          put.run(name, id, JSON.stringify({ ...present, ...changes }))
        })
      }),
    delete: (id, { idempotencyKey: key }) =>
      called(() => {
        once(key, id, () => backend.prepare('DELETE FROM object WHERE source = ? AND id = ?').run(name, id))
      }),
  })
}

const store = await openSqliteStore(join(folder, 'godwit.sqlite'))
const server = await createSyncServer({
  store: { ...store, collections: watched(store.collections), journal: watched(store.journal) },
  sources: [source('Safe', true), source('Unsafe', false)],
  admin: { login: 'admin', password: 'a password of tests' },
  limits: { sweepInterval: 1, queryLease: 2 },
})
const { url } = await server.listen({ port: Number(port) })
const admin = await AdminClient.login({ url, login: 'admin', password: 'a password of tests' })
await admin.users.create({ login: 'ada', password: 'ada of tests' }).catch(() => {})
process.stdout.write(`mortal server listening on ${url}\n`)
