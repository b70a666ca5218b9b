// A journey by `require`: a server over the store that the first argument names (memory, sqlite or the URL of a Redis), a device and an administrator.
// Prints what each saw, as JSON.
const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { AdminClient } = require('@godwit/admin-client')
const { defineModel, isSyncError, t } = require('@godwit/model')
const { openSdk } = require('@godwit/model/node')
const { PROTOCOL_VERSION } = require('@godwit/protocol')
const { createSyncServer, defineSource, refusal } = require('@godwit/server')
const { openMemoryStore } = require('@godwit/store')
const { connectRedisStore } = require('@godwit/store-redis')
const { openSqliteStore } = require('@godwit/store-sqlite')

const notes = new Map([['1', { note: 'first' }]])
const source = defineSource({
  name: 'Note',
  query: () => Object.fromEntries(notes),
  create(note, { idempotencyKey }) {
    if (note.note === '') throw refusal('A note has text.')
    notes.set(idempotencyKey, note)
    return { id: idempotencyKey }
  },
  update: (id, note) => void notes.set(id, { ...notes.get(id), ...note }),
  delete: id => void notes.delete(id),
})
const models = { Note: defineModel('Note', { sync: 'incremental', attributes: { note: t.string() } }) }

function openStore(kind, folder) {
  if (kind === 'memory') return openMemoryStore()
  return kind === 'sqlite' ? openSqliteStore(join(folder, 'server.sqlite')) : connectRedisStore(kind)
}

async function main(kind, folder) {
  const store = await openStore(kind, folder)
  const admin = { login: 'admin', password: 'a long password of the administrator' }
  const server = createSyncServer({ store, sources: [source], admin, users: [{ login: 'ada', password: 'ada' }] })
  const { url, close } = await server.listen({ port: 0 })
  const sdk = await openSdk({ directory: join(folder, 'device'), server: url, models })
  await sdk.login('ada', 'ada')
  await sdk.sync()
  sdk.models.Note.create({ note: 'second' })
  sdk.models.Note.create({ note: '' })
  await sdk.sync()
  const shown = sdk.models.Note.find({ order: { note: 'asc' } }).map(({ note }) => note)
  const refused = sdk.refused('Note').map(({ error }) => error.message)
  const error = await sdk.login('grace', 'wrong').catch(failure => isSyncError(failure) && failure.code)
  const client = await AdminClient.login({ url, ...admin })
  const users = await client.users.list()
  sdk.close()
  await close()
  await store.close()
  return {
    protocol: PROTOCOL_VERSION,
    shown,
    refused,
    error,
    users,
    stored: [...notes.values()].map(({ note }) => note),
  }
}

const folder = mkdtempSync(join(tmpdir(), 'godwit-commonjs-'))
main(process.argv[2], folder)
  .then(seen => process.stdout.write(`${JSON.stringify(seen)}\n`))
  .finally(() => rmSync(folder, { recursive: true, force: true }))
