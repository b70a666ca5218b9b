import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { createSyncServer, defineSource, refusal } from '@godwit/server'
import { openSqliteStore } from '@godwit/store-sqlite'
import { verifies } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { Canaries } from '../harness/canaries.js'
import { temporaryFolder } from '../harness/stores.js'

type Note = { text: string }

let folder: ReturnType<typeof temporaryFolder>
let contents: Canaries
const closers: (() => Promise<void>)[] = []
beforeEach(() => {
  folder = temporaryFolder()
  contents = new Canaries()
  for (const part of ['server', 'device']) mkdirSync(join(folder.path, part))
})
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
  folder.remove()
})

/** Starts a server on a file with a source of notes, and returns it with the notes of the backend. */
async function serve(passThrough: boolean) {
  const backend = new Map<string, Note>()
  const Note = defineSource<Note>({
    name: 'Note',
    passThrough,
    pollInterval: 0,
    query: () => Object.fromEntries(backend),
    create({ text }) {
      if (text.includes('refused')) throw refusal('Not this one.')
      if (text.includes('doubt')) throw new Error('socket hang up')
      backend.set(`real ${backend.size}`, { text })
      return `real ${backend.size - 1}`
    },
    update: (id, { text }) => void backend.set(id, { text: String(text) }),
    delete: id => void backend.delete(id),
  })
  const store = await openSqliteStore(join(folder.path, 'server/godwit.sqlite'))
  const users = [{ login: 'ada', password: 'ada' }]
  const server = createSyncServer({ store, sources: [Note], users, limits: { passwordCost: 16 } })
  const { url } = await server.listen({ port: 0 })
  const close = async () => {
    await server.close()
    await store.close()
  }
  closers.push(close)
  return { url, backend, close, inFiles: () => contents.foundInFiles(join(folder.path, 'server')) }
}

describe('a pass-through source keeps no content in the store', () => {
  test('whatever devices receive and send', async () => {
    const { url, backend, close, inFiles } = await serve(true)
    for (const name of ['first', 'second']) backend.set(name, { text: contents.make(name) })
    const models = { Note: defineModel('Note', { sync: 'incremental', attributes: { text: t.string() } }) }
    const sdk = await openSdk({ directory: join(folder.path, 'device'), server: url, models })
    closers.push(() => sdk.close())
    sdk.pollInterval = 0
    const { Note } = sdk.models
    const onDevice = () => Object.fromEntries(Note.find().map(({ id, text }) => [id, { text }]))
    await sdk.login('ada', 'ada')
    await sdk.sync()
    expect(onDevice()).toEqual(Object.fromEntries(backend))
    Note.create({ text: contents.make('created') })
    Note.update('first', { text: contents.make('updated') })
    Note.destroy('second')
    await sdk.sync()
    expect(onDevice()).toEqual(Object.fromEntries(backend))
    expect(backend.size).toBe(2)
    Note.create({ text: contents.make('refused') })
    Note.create({ text: contents.make('doubt') })
    await sdk.sync()
    backend.set('later', { text: contents.make('later') })
    await sdk.sync()
    expect(onDevice()['later']).toEqual(backend.get('later'))
    expect(sdk.refused()).toMatchObject([{ error: { message: 'Not this one.' } }])
    expect(inFiles()).toEqual([])
    await close()
    expect(inFiles()).toEqual([])
  })

  test('by a pass_through model, which a source that keeps content refuses', async () => {
    verifies('model.enable.pass-through')

    const text = contents.make('text')
    const passing = await serve(true)
    passing.backend.set('first', { text: contents.make('first') })
    const open = async (url: string, directory: string) => {
      const sdk = await openSdk({ directory: join(folder.path, directory), server: url })
      closers.push(() => sdk.close())
      sdk.pollInterval = 0
      const Note = sdk.addModel('Note', model => {
        model.enable('sync')
        model.enable('pass_through')
      })
      await sdk.login('ada', 'ada')
      Note.create({ text })
      return { Note, summary: await sdk.sync() }
    }
    const { Note, summary } = await open(passing.url, 'device')
    expect(summary.sources).toMatchObject([{ source: 'Note', sent: 1 }])
    expect(
      Note.find('all')
        .map(note => note.get('text'))
        .sort(),
    ).toEqual([...contents.all].sort())
    expect([...passing.backend.values()].map(({ text }) => text)).toContain(text)
    expect(passing.inFiles()).toEqual([])
    await passing.close()

    const keeping = await serve(false)
    const refused = await open(keeping.url, 'other')
    expect(refused.summary.sources).toMatchObject([{ source: 'Note', error: { code: 'value_not_allowed' } }])
    expect(refused.Note.anyChangedObjects()).toBe(true)
    expect([keeping.backend.size, keeping.inFiles()]).toEqual([0, []])
  })
})
