import { createHash, randomBytes } from 'node:crypto'
import { type Attributes, type BlobUploaded, type Mutation, type PushOutcomes, QUERY_HEADER } from '@godwit/protocol'
import { defineSource, refusal, type SentBlob, type SourceMethods } from '@godwit/source'
import { openMemoryStore } from '@godwit/store'
import { until } from '@godwit/testing'
import { afterEach, describe, expect, test } from '@jest/globals'
import { blobScope } from '../../base/blob-scopes.js'
import type { SyncServerOptions } from '../../start/options.js'
import { EDGES, failure, json, type TestServer } from '../../testing/open-server.js'
import { forgetBlobs } from './forget-blobs.js'

const opened: TestServer[] = []
afterEach(async () => {
  for (const { server } of opened.splice(0)) await server.close()
})

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const found: SourceMethods<Attributes>['search'] = async (_, { putBlob }) => ({
  f: { photo: await putBlob(Buffer.from('a find')) },
})
const photoOf = (methods: SourceMethods<Attributes> = {}) =>
  defineSource<Attributes>({
    name: 'Photo',
    pollInterval: -1,
    create: () => undefined,
    update: () => undefined,
    ...methods,
  })

describe.each(EDGES)('blobs, %s', (_, open) => {
  async function start(methods?: SourceMethods<Attributes>, options: Partial<SyncServerOptions> = {}) {
    const on = await open({ sources: [photoOf(methods)], ...options })
    opened.push(on)
    return { on, ada: await deviceOf(on, 'ada') }
  }

  test('takes what an upload is from the header where the address says nothing, and refuses neither', async () => {
    const { ada } = await start()
    const content = randomBytes(1000)
    const facts = { hash: sha256(content), size: content.length }
    const first = await ada.uploadByHeader({ ...facts, offset: 0 }, content.subarray(0, 400))
    expect(await json<BlobUploaded>(first)).toMatchObject({ received: 400, complete: false })
    const rest = await ada.uploadByHeader({ ...facts, offset: 400 }, content.subarray(400))
    expect(await json<BlobUploaded>(rest)).toMatchObject({ received: 1000, complete: true })
    for (const lacking of [{}, { ...facts }, { ...facts, offset: 'all' }])
      expect((await ada.uploadByHeader(lacking, content)).status).toBe(422)
  })

  test('accepts a blob in parts, verifies it, and serves it through an object that names it', async () => {
    const { ada } = await start()
    const content = randomBytes(2_500_000)
    const hash = sha256(content)
    expect(await ada.uploaded(content, { offset: 0, end: 1_000_000 })).toEqual({
      ...{ hash, size: 2_500_000, received: 1_000_000, complete: false },
    })
    await ada.uploaded(content, { offset: 1_000_000, end: 2_000_000 })
    expect(await ada.uploaded(content, { offset: 2_000_000 })).toMatchObject({ received: 2_500_000, complete: true })
    await ada.push({ operation: 'create', object: 'p', attributes: { photo: hash } })
    const read = await ada.read('p', hash)
    expect([read.status, read.headers.get('etag')]).toEqual([200, `"${hash}"`])
    expect(sha256(await bytesOf(read))).toBe(hash)
  })

  test('a part at the wrong offset is refused, and the answer has the right offset', async () => {
    const { ada } = await start()
    const content = randomBytes(1000)
    const where = () => ada.uploaded(content, { offset: 0, end: 0 })
    expect(await where()).toMatchObject({ received: 0, complete: false })
    await ada.uploaded(content, { offset: 0, end: 400 })
    for (const part of [{ offset: 0 }, { offset: 300 }, { offset: 500 }])
      expect(await ada.uploaded(content, part)).toMatchObject({ received: 400 })
    expect(await where()).toMatchObject({ received: 400 })
    expect(await ada.uploaded(content, { offset: 400 })).toMatchObject({ received: 1000, complete: true })
    expect(await where()).toMatchObject({ complete: true })
  })

  test('refuses content with another SHA-256, and discards it', async () => {
    const { ada } = await start()
    const content = randomBytes(100)
    const other = await ada.upload({ hash: sha256(content), size: 100, offset: 0 }, randomBytes(100))
    expect(await failure(other)).toBe('422 body_invalid')
    expect(await ada.uploaded(content, { offset: 0, end: 0 })).toMatchObject({ received: 0 })
    expect(await ada.uploaded(content, { offset: 0 })).toMatchObject({ complete: true })
  })

  test('refuses a blob that is too large, exceeds its size, has no hash or no bytes', async () => {
    const { ada } = await start({}, { limits: { blobBytes: 1000 } })
    const hash = sha256(new Uint8Array())
    const upload = async (query: object, body = randomBytes(10), type?: string) =>
      failure(await ada.upload({ hash, size: 10, offset: 0, ...query }, body, type))
    expect(await upload({ size: 1001 })).toBe('413 body_too_large')
    expect(await upload({ size: 9 })).toBe('422 body_invalid')
    expect(await upload({ hash: 'ABC' })).toBe('422 body_invalid')
    expect(await upload({}, randomBytes(1024 * 1024 + 1))).toBe('413 body_too_large')
    expect(await upload({}, randomBytes(10), 'text/plain')).toBe('415 unsupported_media_type')
    expect(await upload({ size: 9 }, randomBytes(10), 'Application/Octet-Stream')).toBe('422 body_invalid')
  })

  test('reads ranges, and answers 304 to a client that has it', async () => {
    const { ada } = await start()
    const content = Buffer.from('0123456789')
    const hash = sha256(content)
    await ada.uploaded(content, { offset: 0 })
    await ada.push({ operation: 'create', object: 'p', attributes: { photo: hash } })
    const read = async (headers: Record<string, string>) => {
      const answer = await ada.read('p', hash, headers)
      return [answer.status, answer.headers.get('content-range'), Buffer.from(await bytesOf(answer)).toString()]
    }
    expect(await read({ range: 'bytes=2-4' })).toEqual([206, 'bytes 2-4/10', '234'])
    expect(await read({ range: 'bytes=7-' })).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await read({ range: 'bytes=-3' })).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await read({ range: 'bytes=8-99' })).toEqual([206, 'bytes 8-9/10', '89'])
    for (const range of ['bytes=0-1,3-4', 'lines=1-2', 'bytes=4-2', 'bytes=-'])
      expect(await read({ range })).toEqual([200, null, '0123456789'])
    expect(await read({ range: 'bytes=2-4', 'if-range': '"other"' })).toEqual([200, null, '0123456789'])
    expect(await read({ range: 'bytes=2-4', 'if-range': `"${hash}"` })).toEqual([206, 'bytes 2-4/10', '234'])
    expect(await read({ 'if-none-match': `"other", W/"${hash}"` })).toEqual([304, null, ''])
    const outside = await ada.read('p', hash, { range: 'bytes=10-' })
    expect([outside.headers.get('content-range'), await failure(outside)]).toEqual(['bytes */10', '416 range_invalid'])
  })

  test('never serves content for the hash alone', async () => {
    const { on, ada } = await start()
    const eve = await deviceOf(on, 'eve')
    const content = randomBytes(50)
    const hash = sha256(content)
    await ada.uploaded(content, { offset: 0 })
    expect(await failure(await ada.read('p', hash))).toBe('404 file_not_found')
    await ada.push({ operation: 'create', object: 'p', attributes: { photo: hash } })
    expect((await ada.read('p', hash)).status).toBe(200)
    const naming = { operation: 'create', object: 'p', attributes: { photo: hash } } as const
    expect(await failure(await eve.tryPush(naming))).toBe('409 blob_missing')
    await eve.push({ ...naming, blobs: [] })
    expect(await failure(await eve.read('p', hash))).toBe('404 file_not_found')
    expect(await eve.uploaded(content, { offset: 0, end: 0 })).toMatchObject({ received: 0, complete: false })
    await ada.push({ operation: 'update', object: 'p', attributes: { photo: null }, was: { photo: hash } })
    expect(await failure(await ada.read('p', hash))).toBe('404 file_not_found')
  })

  test('serves the blob of a found object to its finder only, until the next sweep', async () => {
    const hash = sha256(Buffer.from('a find'))
    const { on, ada } = await start(
      {},
      { sources: [defineSource<Attributes>({ name: 'Photo', partition: 'app', pollInterval: -1, search: found })] },
    )
    const eve = await deviceOf(on, 'eve')
    expect(await failure(await ada.read('f', hash))).toBe('404 file_not_found')
    await ada.search()
    expect(Buffer.from(await bytesOf(await ada.read('f', hash))).toString()).toBe('a find')
    expect(await failure(await eve.read('f', hash))).toBe('404 file_not_found')
    expect(await failure(await ada.read('g', hash))).toBe('404 file_not_found')
    await later()
    const engine = { store: on.store, limits: { blobLife: 0 } as never, stopping: new AbortController().signal }
    await forgetBlobs(engine)
    expect(await failure(await ada.read('f', hash))).toBe('404 file_not_found')
  })

  test('passes each blob to the source before its mutation, and accepts a replacement', async () => {
    const heard: unknown[] = []
    const { on, ada } = await start({
      async storeBlob(blob, { putBlob }) {
        heard.push({ ...blob, read: Buffer.from(await gathered(blob)).toString() })
        return putBlob(streamed('of the ', 'server'))
      },
      create: attributes => void heard.push(attributes),
    })
    const hash = sha256(Buffer.from('of a device'))
    await ada.uploaded(Buffer.from('of a device'), { offset: 0 })
    const other = sha256(Buffer.from('of the server'))
    const pushed = await ada.push({
      ...{ operation: 'create', object: 'p', attributes: { photo: hash, note: 'x', hash: 'f'.repeat(64) } },
    })
    expect(heard).toEqual([
      { hash, size: 11, object: 'p', attribute: 'photo', read: 'of a device' },
      { photo: other, note: 'x', hash: 'f'.repeat(64) },
    ])
    expect(pushed.outcomes[0]).toMatchObject({ status: 'applied', attributes: { photo: other } })
    expect(Buffer.from(await bytesOf(await ada.read('p', other))).toString()).toBe('of the server')
    expect(await on.store.blobs.untouched({ since: Number.MAX_SAFE_INTEGER, limit: 9 })).toHaveLength(2)
  })

  test('unreferenced bytes of a user are limited; changes that name them free the quota', async () => {
    const charged = 1000 + 1024
    const { on, ada } = await start({}, { limits: { unnamedBlobBytes: 2 * charged } })
    const eve = await deviceOf(on, 'eve')
    const contents = Array.from({ length: 5 }, () => randomBytes(1000))
    const send = (n: number, device = ada, end = 1000) => {
      const content = contents[n] as Buffer
      return device.upload({ hash: sha256(content), size: 1000, offset: 0 }, content.subarray(0, end))
    }
    const name = (n: number) =>
      ada.push({ operation: 'create', object: `p${n}`, attributes: { photo: sha256(contents[n] as Buffer) } })
    for (const n of [0, 1]) expect((await send(n)).status).toBe(200)
    const refused = await send(2, ada, 0)
    expect([refused.headers.get('retry-after'), await failure(refused.clone())]).toEqual(['60', '429 quota_exceeded'])
    expect(await refused.json()).toMatchObject({ limit: 'unnamedBlobBytes' })
    expect((await send(0)).status).toBe(200)
    expect((await send(2, eve)).status).toBe(200)
    await name(0)
    expect((await send(2)).status).toBe(200)
    expect(await failure(await send(3))).toBe('429 quota_exceeded')
    const text = await (await on.ask('/metrics')).text()
    expect(text).toContain('godwit_limited_total{limit="unnamedBlobBytes",result="refused"} 2')
    expect(await on.store.blobs.charged('ada')).toBe(2 * charged)
  })

  test('bytes whose change was refused, or that no object names afterwards, are charged again', async () => {
    const { on, ada } = await start({
      create(attributes) {
        if (attributes['note'] === 'no') throw refusal('no')
      },
      storeBlob: ({ hash }, { putBlob }) => (hash === replaced ? putBlob(Buffer.from('smaller')) : undefined),
    })
    const [kept, other] = [randomBytes(500), randomBytes(700)]
    const replaced = sha256(other)
    for (const content of [kept, other]) await ada.uploaded(content, { offset: 0 })
    await ada.push({ operation: 'create', object: 'a', attributes: { photo: sha256(kept), note: 'no' } })
    expect(await on.store.blobs.charged('ada')).toBe(500 + 700 + 2 * 1024)
    await ada.push({ operation: 'create', object: 'b', attributes: { photo: sha256(kept) } })
    await ada.push({ operation: 'create', object: 'c', attributes: { photo: replaced } })
    expect(await on.store.blobs.charged('ada')).toBe(700 + 1024)
  })

  test('bytes of another request are charged again when the create that they depend on is refused', async () => {
    const [called, decided] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const create = async () => {
      called.resolve()
      await decided.promise
      throw refusal('no')
    }
    const { on, ada } = await start({ create }, { limits: { pushWait: 0.05 } })
    const [first, second] = [randomBytes(500), randomBytes(700)]
    for (const content of [first, second]) await ada.uploaded(content, { offset: 0 })
    await ada.push({ operation: 'create', object: 'a', attributes: {} })
    await called.promise
    await ada.push({ operation: 'create', object: 'b', attributes: { photo: sha256(first) }, owners: ['a'] })
    await ada.push({ operation: 'update', object: 'b', attributes: { photo: sha256(second) }, owners: ['b'] })
    expect(await on.store.blobs.charged('ada')).toBe(0)
    decided.resolve()
    await until(async () => (await on.store.blobs.charged('ada')) === 500 + 700 + 2 * 1024)
  })

  test('bytes of a mutation in doubt are charged again when an operator discards it', async () => {
    const { on, ada } = await start({ create: () => Promise.reject(new Error('the line broke')) })
    const content = randomBytes(500)
    await ada.uploaded(content, { offset: 0 })
    await ada.push({ operation: 'create', object: 'a', attributes: { photo: sha256(content) } })
    expect(await on.store.blobs.charged('ada')).toBe(0)
    const headers = await on.as()
    const [{ id } = { id: '' }] = await json<{ id: string }[]>(await on.call('GET', '/rc/v1/mutations', { headers }))
    await on.call('POST', `/rc/v1/mutations/${id}/discard`, { headers })
    expect(await on.store.blobs.charged('ada')).toBe(500 + 1024)
  })

  test('bytes that a sweep removes, or finds an object for, are no longer charged', async () => {
    const { on, ada } = await start()
    const [named, unnamed] = [randomBytes(500), randomBytes(700)]
    for (const content of [named, unnamed]) await ada.uploaded(content, { offset: 0 })
    await on.store.collections.apply(ADA, { replace: { o: { photo: sha256(named) } } })
    await later()
    await forgetBlobs({ store: on.store, limits: { blobLife: 0 } as never, stopping: new AbortController().signal })
    expect(await on.store.blobs.charged('ada')).toBe(0)
  })

  test('a source that refuses a blob refuses its mutation', async () => {
    const { ada } = await start({
      storeBlob() {
        throw refusal('no photos')
      },
    })
    await ada.uploaded(Buffer.from('x'), { offset: 0 })
    const { outcomes } = await ada.push({
      ...{ operation: 'create', object: 'p', attributes: { photo: sha256(Buffer.from('x')) } },
    })
    expect(outcomes).toMatchObject([{ status: 'refused', error: { message: 'no photos' } }])
  })
})

describe.each(EDGES)('changes that name blobs, %s', (_, open) => {
  const content = Buffer.from('a photo')
  const hash = sha256(content)
  const create = { operation: 'create', object: 'p', attributes: { photo: hash } } as const

  async function start(methods?: SourceMethods<Attributes> & { idempotent?: boolean; timeout?: number }) {
    const on = await open({ sources: [photoOf(methods)], limits: { blobLife: 0, sweepInterval: 0.1 } })
    opened.push(on)
    const sweep = () =>
      forgetBlobs({ store: on.store, limits: { blobLife: 0 } as never, stopping: new AbortController().signal })
    return { on, ada: await deviceOf(on, 'ada'), sweep, blob: { scope: blobScope(ADA), name: hash } }
  }

  test('are not accepted without the bytes, and the answer lists missing blobs', async () => {
    const { on, ada } = await start()
    const refused = await ada.tryPush(create)
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'blob_missing', hashes: [hash] }])
    expect(await on.store.journal.queued(ADA, { limit: 9 })).toEqual([])
    await ada.uploaded(content, { offset: 0, end: 3 })
    expect(await failure(await ada.tryPush(create))).toBe('409 blob_missing')
    await ada.uploaded(content, { offset: 3 })
    expect((await ada.push(create)).outcomes).toMatchObject([{ status: 'applied' }])
  })

  test('are refused where the device has lost the bytes, and applied where the server has them', async () => {
    const heard: unknown[] = []
    const { ada } = await start({ create: attributes => void heard.push(attributes) })
    const lost = { ...create, blobs_lost: true }
    const { outcomes } = await ada.push(lost)
    expect([outcomes, heard]).toMatchObject([[{ status: 'refused', error: { code: 'blobs_lost' } }], []])
    await ada.uploaded(content, { offset: 0 })
    expect((await ada.push(lost)).outcomes.at(-1)).toMatchObject({ status: 'applied' })
  })

  test('are never applied without the bytes, also if the store loses them before the call', async () => {
    const heard: unknown[] = []
    const { on, ada, blob } = await start({
      login: () => on.store.blobs.remove(blob).then(() => undefined),
      create: attributes => void heard.push(attributes),
    })
    await ada.uploaded(content, { offset: 0 })
    const { outcomes } = await ada.push(create)
    expect([outcomes, heard]).toMatchObject([[{ status: 'refused', error: { code: 'blobs_lost' } }], []])
  })

  test('hold nothing where their push is refused', async () => {
    const { on, ada, blob } = await start()
    await ada.push({ operation: 'create', object: 'q', attributes: { note: 'no photo' } })
    await on.store.collections.drop(ADA)
    await ada.uploaded(content, { offset: 0 })
    expect(await failure(await ada.tryPush(create))).toBe('409 epoch_changed')
    expect(await on.store.blobs.holders(blob)).toEqual([])
  })

  test('keep their blobs from the sweep until they are decided', async () => {
    const stored: string[] = []
    let calls = 0
    const { on, ada, sweep, blob } = await start({
      idempotent: true,
      async storeBlob(sent) {
        stored.push(Buffer.from(await gathered(sent)).toString())
      },
      async create() {
        await later()
        await sweep()
        if (++calls === 1) throw new Error('the connection broke')
        return { attributes: { photo: null } }
      },
    })
    await ada.uploaded(content, { offset: 0 })
    expect((await ada.push(create)).outcomes).toMatchObject([{ status: 'queued' }])
    await later()
    await sweep()
    expect(await on.store.blobs.find(blob)).toMatchObject({ complete: true })
    await until(async () => {
      const [entry] = await on.store.journal.entries(ADA, ['the key of ada, 1'])
      return entry?.state === 'decided'
    })
    expect(stored).toEqual(['a photo', 'a photo'])
    for (let sweeps = 0; sweeps < 2; sweeps++) {
      await later()
      await sweep()
    }
    expect(await on.store.blobs.find(blob)).toBe(undefined)
  })
})

const ADA = { source: 'Photo', partition: 'user:ada' }
const later = () => new Promise(resolve => setTimeout(resolve, 5))

test('unreferenced blobs expire; those of objects and of undecided mutations stay', async () => {
  let now = 1_700_000_000_000
  const store = openMemoryStore({ clock: () => now })
  const engine = { store, limits: { blobLife: 100 } as never, stopping: new AbortController().signal }
  const collection = { source: 'Photo', partition: 'user:ada' }
  const scope = blobScope(collection)
  const names = ['a', 'b', 'c'].map(name => name.repeat(64))
  const [named = '', waiting = ''] = names
  for (const name of names) await store.blobs.append({ scope, name }, { size: 0, offset: 0, bytes: new Uint8Array() })
  await store.collections.apply(collection, { merge: { p: { photo: named } } })
  const mutation = { number: 1, key: 'key', operation: 'create', object: 't', attributes: { photo: waiting } } as const
  const { epoch } = await store.collections.open(collection)
  await store.journal.accept(collection, {
    client: 'c',
    user: 'ada',
    epoch,
    acknowledged: 0,
    mutations: [mutation],
  } as never)
  const left = async () => (await store.blobs.untouched({ since: now, limit: 9 })).map(({ name }) => name)
  now += 99_000
  await forgetBlobs(engine)
  expect(await left()).toEqual(names)
  now += 1_000
  await forgetBlobs(engine)
  expect(await left()).toEqual([named, waiting])
})

async function deviceOf(on: TestServer, login: string) {
  const { headers } = await on.device(login)
  let epoch = ''
  let number = 0
  const send = async (mutation: Omit<Mutation, 'number' | 'key'>): Promise<Response> => {
    if (epoch === '') ({ epoch } = await json<{ epoch: string }>(await on.call('GET', '/app/v1/Photo', { headers })))
    const numbered = { blobs: ['photo'], ...mutation, number: number + 1, key: `the key of ${login}, ${number + 1}` }
    const body = { epoch, acknowledged: 0, mutations: [numbered] }
    const answer = await on.call('POST', '/app/v1/Photo', { headers, body })
    if (answer.ok) number++
    return answer
  }
  const upload = (query: object, bytes: Uint8Array, type = 'application/octet-stream') =>
    on.ask(`/app/v1/Photo/blobs?${new URLSearchParams(query as Record<string, string>)}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': type },
      body: Uint8Array.from(bytes),
    })
  const uploadByHeader = (query: object, bytes: Uint8Array) =>
    on.ask('/app/v1/Photo/blobs', {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/octet-stream',
        [QUERY_HEADER]: new URLSearchParams(query as Record<string, string>).toString(),
      },
      body: Uint8Array.from(bytes),
    })
  return {
    upload,
    uploadByHeader,
    uploaded: async (content: Uint8Array, { offset, end }: { offset: number; end?: number }) => {
      const query = { hash: sha256(content), size: content.length, offset }
      return json<BlobUploaded>(await upload(query, content.subarray(offset, end)))
    },
    read: (object: string, hash: string, more: Record<string, string> = {}) =>
      on.ask(`/app/v1/Photo/blobs/${hash}?object=${object}`, { headers: { ...headers, ...more } }),
    push: async (mutation: Omit<Mutation, 'number' | 'key'>): Promise<PushOutcomes> => {
      return json(await send(mutation))
    },
    search: () => on.call('POST', '/rc/v1/app/search', { headers, body: { sources: ['Photo'], search: 'any' } }),
    tryPush: (mutation: Omit<Mutation, 'number' | 'key'>) => send(mutation),
  }
}

const bytesOf = async (answer: Response): Promise<Uint8Array> => new Uint8Array(await answer.arrayBuffer())

async function gathered(blob: SentBlob): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const part of blob.read()) parts.push(part)
  return Buffer.concat(parts)
}

async function* streamed(...parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part)
}
