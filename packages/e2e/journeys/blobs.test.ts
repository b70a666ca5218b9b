import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BlobRef, defineModel, isSyncError, t } from '@godwit/model'
import { type Attributes, QUERY_HEADER, SyncError } from '@godwit/protocol'
import { defineSource, type SourceDefinition } from '@godwit/server'
import { openMemoryStore, writeBlob } from '@godwit/store'
import { verifies } from '@godwit/testing'
import { afterEach, describe, expect, test } from '@jest/globals'
import { type InProcess, inProcess, OPEN_STORES, randomContent, truncateResponse } from '../harness/in-process.js'

const attributes = {
  note: t.string().optional(),
  photo: t.blob().optional(),
  scan: t.blob({ overwrite: true }).optional(),
}
const Photo = defineModel('Photo', { sync: 'incremental', attributes })
const models = { Photo }
const MiB = 1024 * 1024

let world: InProcess | undefined
afterEach(() => world?.close())

const SCOPE = JSON.stringify(['source', 'Photo', 'user:ada'])
const isPush = (request: Request): boolean =>
  request.method === 'POST' && new URL(request.url).pathname === '/app/v1/Photo'

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
interface Device {
  blobPath(blob: BlobRef): string
}
/** Returns the path of a row's file. */
const pathOf = (sdk: Device, blob: BlobRef | undefined): string => (blob ? sdk.blobPath(blob) : '')
const contentOf = (sdk: Device, blob: BlobRef | undefined): string => readFileSync(pathOf(sdk, blob), 'latin1')

type SourceMethods = Partial<SourceDefinition<Attributes>>

/** A backend that stores rows under ids that it assigns. */
function backend(given: SourceMethods = {}) {
  const rows: Record<string, Attributes> = {}
  let ids = 0
  return defineSource<Attributes>({
    name: 'Photo',
    pollInterval: 0,
    query: () => ({ ...rows }),
    create(given) {
      const id = `real ${++ids}`
      rows[id] = given
      return id
    },
    update(id, changes) {
      rows[id] = { ...rows[id], ...changes } as Attributes
    },
    delete(id) {
      delete rows[id]
    },
    ...given,
  })
}

describe.each(OPEN_STORES)('over $name', ({ open }) => {
  const start = async (given?: SourceMethods, limits = {}): Promise<InProcess> => {
    world = await inProcess(open, { sources: [backend(given)], limits })
    return world
  }

  /** Creates a file of the app, outside the device's directory. */
  const file = ({ folder }: InProcess, name: string, content: Uint8Array | string): string => {
    mkdirSync(join(folder, 'app'), { recursive: true })
    writeFileSync(join(folder, 'app', name), content)
    return join(folder, 'app', name)
  }

  test('a file goes from one device to another', async () => {
    verifies('model.field-types.blob')

    const heard: string[] = []
    const world = await start({ storeBlob: blob => void heard.push(blob.hash) })
    const [here, there] = [await world.device('here', models), await world.device('there', models)]
    const content = randomContent(3 * MiB + 1)
    const original = file(world, 'a.jpg', content)
    const made = here.models.Photo.create({ note: 'a', photo: pathToFileURL(original).href })
    rmSync(original)
    expect(pathOf(here, made.photo)).toBe(join(world.folder, 'here', 'blobs', sha256(content)))
    expect(contentOf(here, made.photo)).toBe(content.toString('latin1'))
    await here.sync()
    const uploads = world.requests.lastIndexOf('POST /app/v1/Photo/blobs')
    expect(uploads).toBeLessThan(world.requests.indexOf('POST /app/v1/Photo'))
    expect(heard).toEqual([sha256(content)])
    await there.sync()
    const [row] = there.models.Photo.find()
    expect(row).toMatchObject({ id: 'real 1', note: 'a', photo: { hash: sha256(content) } })
    expect(contentOf(there, row?.photo)).toBe(content.toString('latin1'))
  })

  test('a broken upload resumes where it stopped', async () => {
    const world = await start()
    const here = await world.device('here', models)
    const content = randomContent(5 * MiB)
    here.models.Photo.create({ photo: file(world, 'a', content) })
    const parts: [offset: number, bytes: number][] = []
    let lives = 4
    world.meddle = async (request, go) => {
      const url = new URL(request.url)
      if (!url.pathname.endsWith('/blobs')) return go()
      if (lives-- === 0) throw new TypeError('the network is gone')
      const size = (await request.clone().arrayBuffer()).byteLength
      if (size > 0)
        parts.push([
          Number(new URLSearchParams(request.headers.get(QUERY_HEADER) ?? '').get('offset')) / MiB,
          size / MiB,
        ])
      const answer = await go()
      // The server stored the part, but its response is lost.
      if (lives === 1) throw new TypeError('the network is gone')
      return answer
    }
    await expect(here.sync()).rejects.toMatchObject({ code: 'offline' })
    expect(world.requests).not.toContain('POST /app/v1/Photo')
    lives = 99
    await here.sync()
    expect(parts).toEqual([0, 1, 2, 3, 4].map(offset => [offset, 1]))
    expect(here.changes()).toEqual([])
  })

  test('a broken download resumes where it stopped; until it is complete there is no file', async () => {
    const world = await start()
    const [here, there] = [await world.device('here', models), await world.device('there', models)]
    const content = randomContent(4 * MiB)
    here.models.Photo.create({ photo: file(world, 'a', content) })
    await here.sync()
    const ranges: (string | null)[] = []
    let breaks = true
    world.meddle = async (request, go) => {
      if (!new URL(request.url).pathname.includes('/blobs/')) return go()
      ranges.push(request.headers.get('range'))
      if (breaks && ranges.length > 1) throw new TypeError('the network is gone')
      return breaks ? truncateResponse(1.5 * MiB, await go()) : go()
    }
    await there.sync()
    const path = pathOf(there, there.models.Photo.first()?.photo)
    expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, true])
    breaks = false
    await there.sync()
    expect(readFileSync(path, 'latin1')).toBe(content.toString('latin1'))
    expect(ranges).toEqual([null, `bytes=${1.5 * MiB}-`, `bytes=${1.5 * MiB}-`])
  })

  test('a blob that the server changed replaces the local file only with overwrite', async () => {
    verifies('model.field-types.overwrite', 'model.field-types.no-overwrite')

    const world = await start({ storeBlob: (_, { putBlob }) => putBlob(Buffer.from('smaller')) })
    const [here, there] = [await world.device('here', models), await world.device('there', models)]
    const [photo, scan] = [file(world, 'photo', 'my photo'), file(world, 'scan', 'my scan')]
    here.models.Photo.create({ photo, scan })
    await here.sync()
    await there.sync()
    const displayed = (sdk: typeof here) => {
      const row = sdk.models.Photo.first()
      return [contentOf(sdk, row?.photo), contentOf(sdk, row?.scan)]
    }
    expect(displayed(here)).toEqual(['my photo', 'smaller'])
    expect(displayed(there)).toEqual(['smaller', 'smaller'])
    here.models.Photo.update('real 1', { photo: file(world, 'second', 'my second') })
    expect(displayed(here)).toEqual(['my second', 'smaller'])
    await here.sync()
    expect(displayed(here)).toEqual(['my second', 'smaller'])
    expect(here.changes()).toEqual([])
  })

  test('writing back the path that was read is no change', async () => {
    const world = await start()
    const here = await world.device('here', models)
    const made = here.models.Photo.create({ photo: file(world, 'a', 'a') })
    await here.sync()
    here.models.Photo.update('real 1', { photo: here.models.Photo.first()?.photo })
    expect([here.changes(), here.models.Photo.first()?.photo]).toEqual([[], made.photo])
  })

  test('writing back the path that was read is no change where the server has another photo', async () => {
    const world = await start()
    const [here, there] = [await world.device('here', models), await world.device('there', models)]
    here.models.Photo.create({ note: 'a', photo: file(world, 'first', 'first') })
    await here.sync()
    await there.sync()
    there.models.Photo.update('real 1', { photo: file(world, 'better', 'better') })
    await there.sync()
    await here.sync()
    const read = here.models.Photo.get('real 1')
    expect(contentOf(here, read?.photo)).toBe('first')
    here.models.Photo.update('real 1', { note: 'b', photo: read?.photo ?? null })
    expect(here.changes()).toMatchObject([{ attributes: { note: 'b' } }])
    expect(here.changes()[0]?.attributes).not.toHaveProperty('photo')
    await here.sync()
    await there.sync()
    const seen = there.models.Photo.get('real 1')
    expect([seen?.note, contentOf(there, seen?.photo), contentOf(here, here.models.Photo.first()?.photo)]).toEqual([
      'b',
      'better',
      'first',
    ])
  })

  test('after a refused photo the row shows the photo of the server', async () => {
    const world = await start({
      storeBlob: (_, { putBlob }) => putBlob(Buffer.from('smaller')),
      update: () => {
        throw new SyncError('refused', 'no such photo')
      },
    })
    const here = await world.device('here', models)
    here.models.Photo.create({ photo: file(world, 'first', 'first') })
    await here.sync()
    here.models.Photo.update('real 1', { photo: file(world, 'second', 'second') })
    await here.sync()
    expect(here.refused()).toMatchObject([{ object: 'real 1' }])
    expect(contentOf(here, here.models.Photo.get('real 1')?.photo)).toBe('smaller')
  })

  test('a file that is not there is refused, and nothing is stored', async () => {
    const world = await start()
    const here = await world.device('here', models)
    for (const photo of ['/no/such/file', 'file://%00', world.folder, '']) {
      const create = () => here.models.Photo.create({ photo })
      expect(code(create)).toBe('attribute_invalid')
    }
    expect(here.models.Photo.count()).toBe(0)
  })

  test('a blob that the server refuses takes only its own change with it', async () => {
    const world = await start({}, { blobBytes: 10 })
    const here = await world.device('here', models)
    here.models.Photo.create({ note: 'large', photo: file(world, 'large', 'more than ten bytes') })
    here.models.Photo.create({ note: 'small', photo: file(world, 'small', 'small') })
    await here.sync()
    expect(here.refused()).toMatchObject([{ attributes: { note: 'large' }, error: { code: 'body_too_large' } }])
    expect(here.models.Photo.find().map(({ note }) => note)).toEqual(['small'])
  })

  test('a blob whose bytes do not match its hash takes only its own change with it', async () => {
    const world = await start()
    const here = await world.device('here', models)
    const { Photo } = here.models
    const [spoilt] = [Photo.create({ photo: file(world, 'a', 'a photo') }), Photo.create({ note: 'another' })]
    writeFileSync(pathOf(here, spoilt.photo), 'turned around in place')
    await here.sync()
    expect(here.refused()).toMatchObject([{ object: spoilt.id, error: { code: 'body_invalid' } }])
    expect([Photo.find().map(({ note }) => note), here.changes()]).toEqual([['another'], []])
  })

  test('bytes that arrive damaged are sent again', async () => {
    const world = await start()
    const here = await world.device('here', models)
    here.models.Photo.create({ photo: file(world, 'a', 'a photo') })
    let isSpoilt = false
    world.meddle = (request, go) => {
      if (isSpoilt || !request.url.includes('/blobs')) return go()
      isSpoilt = true
      return go(new Request(request, { body: 'b photo' }))
    }
    await here.sync()
    expect([here.refused(), here.changes(), here.models.Photo.count()]).toEqual([[], [], 1])
  })

  test('a source without blobs refuses the change that has one, and no other', async () => {
    const world = await start({ passThrough: true })
    const here = await world.device('here', models)
    here.models.Photo.create({ note: 'with', photo: file(world, 'a', 'a photo') })
    here.models.Photo.create({ note: 'without' })
    await here.sync()
    expect(here.refused()).toMatchObject([{ attributes: { note: 'with' }, error: { code: 'value_not_allowed' } }])
    expect([here.models.Photo.find().map(({ note }) => note), here.changes()]).toEqual([['without'], []])
  })

  test('what the app writes while a blob is refused is sent or reported', async () => {
    const world = await start({}, { blobBytes: 10 })
    const here = await world.device('here', models)
    const { Photo } = here.models
    const large = () => file(world, 'large', 'more than ten bytes')
    const [exchanged, gone, recorded] = ['exchanged', 'gone', 'noted'].map(note =>
      Photo.create({ note, photo: large() }),
    )
    let isOver = false
    world.meddle = async (request, go) => {
      const answer = await go()
      if (isOver || !new URL(request.url).pathname.endsWith('/blobs')) return answer
      isOver = true
      Photo.update(exchanged?.id ?? '', { note: 'an hour of typing', photo: file(world, 'small', 'small') })
      Photo.destroy(gone?.id ?? '')
      Photo.update(recorded?.id ?? '', { note: 'another hour' })
      return answer
    }
    await here.sync()
    await here.sync()
    expect(Photo.find().map(({ note, photo }) => [note, contentOf(here, photo)])).toEqual([
      ['an hour of typing', 'small'],
    ])
    expect(here.refused()).toMatchObject([{ attributes: { note: 'another hour' }, error: { code: 'body_too_large' } }])
    expect(here.changes()).toEqual([])
  })

  test('unreferenced files are removed; those of a change, a refusal or a row stay', async () => {
    const world = await start()
    const here = await world.device('here', models)
    const folder = join(world.folder, 'here', 'blobs')
    const kept = here.models.Photo.create({ photo: file(world, 'a', 'kept') })
    const gone = here.models.Photo.create({ photo: file(world, 'b', 'gone') })
    writeFileSync(join(folder, 'x.copy'), 'left by a kill')
    await here.sync()
    const unsent = here.models.Photo.create({ photo: file(world, 'c', 'unsent') })
    here.models.Photo.destroy(here.models.Photo.find().find(({ photo }) => photo?.hash === gone.photo?.hash)?.id ?? '')
    const long = new Date(Date.now() - 3_600_000)
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), long, long)
    world.meddle = (request, go) => (request.method === 'POST' ? Promise.reject(new TypeError('cut')) : go())
    await here.sync().catch(() => {})
    world.meddle = (_, go) => go()
    expect(readdirSync(folder).sort()).toEqual(hashesOf('kept', 'gone', 'unsent').concat('x.copy').sort())
    await here.login('ada', 'ada')
    await here.sync()
    expect(readdirSync(folder).sort()).toEqual(hashesOf('kept', 'unsent'))
    expect([kept, unsent].map(({ photo }) => existsSync(pathOf(here, photo)))).toEqual([true, true])
  })

  test('a blob that the server lost is sent again before its change', async () => {
    const stored: string[] = []
    const world = await start({ storeBlob: async blob => void stored.push(blob.hash) })
    const here = await world.device('here', models)
    here.models.Photo.create({ photo: file(world, 'a', 'a photo') })
    let pushes = 0
    world.meddle = async (request, go) => {
      if (isPush(request) && ++pushes === 1) await world.store.blobs.removeScope(SCOPE)
      return go()
    }
    await here.sync()
    expect([here.refused(), here.changes(), pushes]).toEqual([[], [], 2])
    expect(stored).toEqual(hashesOf('a photo'))
  })

  test('a change whose photo is lost on both sides is refused, and no other', async () => {
    const applied: Attributes[] = []
    const world = await start({ create: given => void applied.push(given) })
    const here = await world.device('here', models)
    const { Photo } = here.models
    const [lost] = [Photo.create({ note: 'lost', photo: file(world, 'a', 'a photo') }), Photo.create({ note: 'other' })]
    rmSync(pathOf(here, lost.photo))
    await here.sync()
    expect(here.refused()).toMatchObject([{ object: lost.id, error: { code: 'blobs_lost' } }])
    expect([applied, here.changes()]).toEqual([[{ note: 'other' }], []])
  })

  test('a photo that is refused for good takes only its own change with it, also on a second request', async () => {
    const applied: Attributes[] = []
    const world = await start({ create: given => void applied.push(given) })
    const here = await world.device('here', models)
    const { Photo } = here.models
    const large = Photo.create({ note: 'large', photo: file(world, 'a', 'a large photo') })
    world.meddle = (request, go) => (isPush(request) ? Promise.reject(new TypeError('cut')) : go())
    await expect(here.sync()).rejects.toMatchObject({ code: 'offline' })
    await world.store.blobs.removeScope(SCOPE)
    Photo.create({ note: 'other' })
    world.meddle = async (request, go) =>
      request.method === 'POST' && request.url.includes('/blobs')
        ? Response.json({ code: 'body_too_large', detail: 'The limit is lower now.' }, { status: 413 })
        : go()
    await here.sync()
    expect(here.refused()).toMatchObject([{ object: large.id, error: { code: 'blobs_lost' } }])
    expect([applied, here.changes()]).toEqual([[{ note: 'other' }], []])
  })

  test('a change that the server has decided is not undone by a photo that cannot be sent again', async () => {
    const world = await start()
    const here = await world.device('here', models)
    here.models.Photo.create({ note: 'a', photo: file(world, 'a', 'a photo') })
    world.meddle = async (request, go) => {
      const answer = await go()
      if (isPush(request)) throw new TypeError('the answer is lost')
      return answer
    }
    await expect(here.sync()).rejects.toMatchObject({ code: 'offline' })
    await world.store.blobs.removeScope(SCOPE)
    rmSync(join(world.folder, 'here', 'blobs'), { recursive: true })
    world.meddle = (_, go) => go()
    await here.sync()
    expect([here.refused(), here.changes()]).toEqual([[], []])
    expect(here.models.Photo.first()).toMatchObject({ id: 'real 1', note: 'a' })
  })

  test('the path of a missing photo is refused, except in the row that has it', async () => {
    const world = await start({
      query: async ({ putBlob }) => ({ p: { note: 'a', photo: await putBlob(Buffer.from('a photo')) } }),
    })
    const here = await world.device('here', models)
    const { Photo } = here.models
    world.meddle = (request, go) => (request.url.includes('/blobs/') ? Promise.reject(new TypeError('cut')) : go())
    await here.sync()
    const photo = Photo.first()?.photo
    expect(existsSync(pathOf(here, photo))).toBe(false)
    for (const given of [photo, sha256(Buffer.from('a photo'))]) {
      expect(code(() => Photo.create({ photo: given }))).toBe('attribute_invalid')
      expect(code(() => Photo.update('p', { scan: given }))).toBe('attribute_invalid')
    }
    Photo.update('p', { note: 'b', photo })
    expect(here.changes()).toMatchObject([{ attributes: { note: 'b' } }])
    world.meddle = (_, go) => go()
    await here.sync()
    Photo.create({ photo })
    rmSync(pathOf(here, photo))
    expect(code(() => Photo.create({ photo }))).toBe('attribute_invalid')
  })

  test('a photo that reaches the server late is requested again with growing waits', async () => {
    const content = Buffer.from('a late photo')
    const world = await start({ query: () => ({ p: { photo: sha256(content) } }) })
    const here = await world.device('here', models)
    const requested = (): number => world.requests.filter(request => request.includes('/blobs/')).length
    await here.sync()
    expect(requested()).toBe(1)
    await here.sync()
    expect(requested()).toBe(1)
    await writeBlob(world.store.blobs, {
      blob: { scope: SCOPE, name: sha256(content) },
      size: content.length,
      read: offset => [content.subarray(offset)],
    })
    world.ahead = 11_000
    await here.sync()
    expect([requested(), contentOf(here, here.models.Photo.first()?.photo)]).toEqual([2, 'a late photo'])
  })

  test('a photo that the server lacks is requested with growing waits, and at once when its row changes', async () => {
    let note = 'a'
    const world = await start({ query: () => ({ p: { photo: '0'.repeat(64), note } }) })
    const here = await world.device('here', models)
    const requested = async (): Promise<number> => {
      const before = world.requests.length
      await here.sync()
      return world.requests.slice(before).filter(request => request.includes('/blobs/')).length
    }
    const counts: number[] = []
    for (const ahead of [0, 9_000, 11_000, 30_000, 32_000]) {
      world.ahead = ahead
      counts.push(await requested())
    }
    expect(counts).toEqual([1, 0, 1, 0, 1])
    note = 'b'
    expect([await requested(), await requested()]).toEqual([1, 0])
    // The clock was a month ahead when the wait was recorded.
    world.ahead = 30 * 24 * 3_600_000
    expect(await requested()).toBe(1)
    world.ahead = 0
    expect(await requested()).toBe(1)
  })

  test('a photo whose file vanished from the device is requested again, after ten minutes at most', async () => {
    const contents = ['kept', 'vanished'].map(text => Buffer.from(text))
    const world = await start({
      query: async ({ putBlob }) => {
        const [kept = '', vanished = ''] = await Promise.all(contents.map(content => putBlob(content)))
        return { k: { photo: kept }, v: { photo: vanished }, w: { photo: vanished } }
      },
    })
    const here = await world.device('here', models)
    const requested = async (): Promise<readonly string[]> => {
      const before = world.requests.length
      await here.sync()
      return world.requests.slice(before).filter(request => request.includes('/blobs/'))
    }
    expect(await requested()).toHaveLength(2)
    expect(await requested()).toEqual([])
    const { photo } = here.models.Photo.get('v') ?? {}
    rmSync(pathOf(here, photo))
    world.ahead += 10 * 60_000
    expect(await requested()).toEqual([expect.stringContaining(photo?.hash ?? '')])
    expect(contentOf(here, here.models.Photo.get('w')?.photo)).toBe('vanished')
    expect(await requested()).toEqual([])
  })

  test('a row that a search found shows its photo', async () => {
    const found: SourceMethods['search'] = async (_, { putBlob }) => ({
      f: { note: 'found', photo: await putBlob(Buffer.from('a find')) },
    })
    const world = await start({ partition: 'app', search: found })
    const here = await world.device('here', models)
    await here.search({ search: 'any' })
    expect(contentOf(here, here.models.Photo.get('f')?.photo)).toBe('a find')
  })

  test('a row that a search found says why it shows no photo', async () => {
    const world = await start({ search: () => ({ f: { photo: '0'.repeat(64) } }) })
    const here = await world.device('here', models)
    const heard = hear(here.events())
    await here.search({ search: 'any' })
    await here.close()
    expect((await heard).filter(({ kind }) => kind === 'error')).toMatchObject([
      {
        source: 'Photo',
        error: { code: 'file_not_found', message: expect.stringContaining('Photo f was not fetched') },
      },
    ])
  })

  test('a blob of the backend reaches the devices', async () => {
    const world = await start({
      query: async ({ putBlob }) => ({ p: { photo: await putBlob(parts('from ', 'the backend')) } }),
    })
    const here = await world.device('here', models)
    await here.sync()
    expect(contentOf(here, here.models.Photo.first()?.photo)).toBe('from the backend')
  })

  test('rows of one query may give the same blob at the same time', async () => {
    const portrait = randomContent(3 * MiB)
    const world = await start({
      query: async ({ putBlob }) => {
        const ids = Array.from({ length: 20 }, (_, index) => `${index}`)
        // Each upload begins while others are running.
        const put = async (at: number): Promise<string> => {
          for (let turns = at; turns > 0; turns--) await undefined
          return putBlob(at % 2 ? portrait : inParts(portrait, 700_000))
        }
        const photos = await Promise.all(ids.map((_, at) => put(at)))
        return Object.fromEntries(ids.map((id, index) => [id, { photo: photos[index] ?? '' }]))
      },
    })
    const here = await world.device('here', models)
    await here.sync()
    expect(here.models.Photo.count()).toBe(20)
    expect(contentOf(here, here.models.Photo.first()?.photo)).toBe(portrait.toString('latin1'))
  })

  test('a downloaded photo is announced for each object that shows it', async () => {
    const world = await start({
      query: async ({ putBlob }) => {
        const photo = await putBlob(Buffer.from('the same'))
        return { p: { photo }, q: { photo } }
      },
    })
    const here = await world.device('here', models)
    const heard = hear(here.events())
    await here.sync()
    await here.close()
    expect((await heard).filter(({ kind }) => kind === 'blob')).toMatchObject([{ object: 'p' }, { object: 'q' }])
    expect(world.requests.filter(request => request.includes('/blobs/'))).toHaveLength(1)
  })

  test('files of another user are gone after a login', async () => {
    const world = await start()
    const here = await world.device('here', models)
    here.models.Photo.create({ photo: file(world, 'a', 'of ada') })
    await here.sync()
    const folder = join(world.folder, 'here', 'blobs')
    const long = new Date(Date.now() - 3_600_000)
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), long, long)
    await here.login('grace', 'grace')
    await here.sync()
    expect(readdirSync(folder)).toEqual(here.models.Photo.find().map(({ photo }) => photo?.hash))
  })
})

test('models that sync concurrently may name the same photo', async () => {
  const content = randomContent(300_000)
  const query: SourceMethods['query'] = async ({ putBlob }) => ({ p: { photo: await putBlob(content) } })
  const sources = ['Photo', 'Person', 'Place'].map(name => backend({ name, query }))
  const opened = await inProcess(async () => openMemoryStore(), { sources })
  world = opened
  const model = <const Name extends string>(name: Name) =>
    defineModel(name, { sync: 'incremental', attributes: { photo: t.blob().optional() } })
  const here = await opened.device('here', { Photo, Person: model('Person'), Place: model('Place') })
  opened.meddle = async (request, go) => (request.url.includes('/blobs/') ? slow(await go()) : go())
  const heard = hear(here.events())
  await here.sync()
  await here.close()
  const kinds = (await heard).map(({ kind }) => kind).filter(kind => kind === 'blob' || kind === 'error')
  expect(kinds).toEqual(['blob', 'blob', 'blob'])
  expect(opened.requests.filter(request => request.includes('/blobs/'))).toHaveLength(1)
  expect(readFileSync(join(opened.folder, 'here', 'blobs', sha256(content))).equals(content)).toBe(true)
})

async function hear<Event>(events: AsyncIterable<Event>): Promise<readonly Event[]> {
  const heard: Event[] = []
  for await (const event of events) heard.push(event)
  return heard
}

/** Returns the response with a body that arrives in parts. */
function slow(answer: Response): Response {
  const parts = new TransformStream<Uint8Array, Uint8Array>({
    async transform(bytes, controller) {
      for (let at = 0; at < bytes.length; at += 50_000) {
        controller.enqueue(bytes.subarray(at, at + 50_000))
        await new Promise(resolve => setTimeout(resolve, 5))
      }
    },
  })
  return new Response(answer.body?.pipeThrough(parts) ?? null, answer)
}

test('a model of the original API holds files too', async () => {
  const opened = await inProcess(async () => openMemoryStore(), { sources: [backend()] })
  world = opened
  const sdk = await opened.device('here', {})
  const Note = sdk.addModel('Note', model => model.setModelProperty('picture', 'Blob'))
  writeFileSync(join(opened.folder, 'picture.png'), 'a picture')
  const note = Note.create({ picture: join(opened.folder, 'picture.png') })
  expect(readFileSync(note.get('picture') ?? '', 'latin1')).toBe('a picture')
  note.setProperty('picture', join(opened.folder, 'none.png'))
  expect(code(() => note.save())).toBe('attribute_invalid')
})

const hashesOf = (...contents: readonly string[]): string[] => contents.map(text => sha256(Buffer.from(text))).sort()

function code(run: () => unknown): string {
  try {
    run()
    return 'nothing thrown'
  } catch (error) {
    return isSyncError(error) ? error.code : String(error)
  }
}

async function* parts(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

async function* inParts(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}
