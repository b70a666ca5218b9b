import { createHash } from 'node:crypto'
import type { Mutation } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import type { SqliteStore } from '../sqlite-store.js'

/** The clock of the sample, in milliseconds. */
export const SAMPLE_TIME = 1_760_000_000_000

const NOTES: CollectionId = { source: 'Note', partition: 'user:ada' }
const CLIENT = 'client-1'
const BYTES = new Uint8Array([0, 1, 2, 253, 254, 255])
const PHOTO = { scope: 'user:ada', name: createHash('sha256').update(BYTES).digest('hex') }

const mutation = (number: number, content: Partial<Mutation>): Mutation => ({
  number,
  key: `key-of-mutation-number-${number}`,
  operation: 'update',
  object: 'kept',
  attributes: { text: `written ${number}` },
  ...content,
})

const MUTATIONS = [
  mutation(1, {}),
  mutation(2, { operation: 'create', object: 'temporary' }),
  mutation(3, { attributes: { parent: 'temporary' }, owners: ['temporary'] }),
]

/** Writes something into every table of a store. Files of earlier schemas have the same content, so add to it, and change nothing. */
export async function fillSample(store: SqliteStore): Promise<void> {
  const { collections, registry } = store
  await collections.apply(NOTES, { merge: { kept: { text: "it's kept" }, gone: {}, long: { text: 'ä'.repeat(500) } } })
  await collections.apply(NOTES, { remove: ['gone'] })
  await collections.recordReader(NOTES, CLIENT, 1)
  await collections.requestQuery(NOTES)
  await recordCursor(store)
  await pushMutations(store)
  await registry.create('user', { id: 'ada', value: { role: 'device' } })
  await registry.create('credential', { id: 'session', value: {}, owner: 'ada', expiresAt: SAMPLE_TIME + 1000 })
  await store.documents.set('app', 'greeting', { one: { text: 'hello' } })
  await store.blobs.append(PHOTO, { size: 6, offset: 0, bytes: BYTES }, { account: 'ada', bytes: 6, limit: 100 })
  await store.blobs.complete(PHOTO)
  await store.blobs.hold(PHOTO, 'Note')
  const minute = Math.floor(SAMPLE_TIME / 60_000) * 60
  await store.series.add([
    { key: 'pulls', time: minute, count: 2, sum: 0.75, min: 0.25, max: 0.5 },
    { key: 'users', time: minute, value: 7 },
  ])
  await store.audit.append([{ number: 1, text: 'began', hash: 'abc' }])
  await store.jobs.enqueue({ queue: 'ping', id: 'job-1', kind: 'ping', data: { to: ['ada'] }, delay: 60_000 })
  await store.leases.acquire({ kind: 'server', name: 'sweep' }, { holder: 'process-1', milliseconds: 1000 })
}

async function recordCursor({ collections }: SqliteStore): Promise<void> {
  const { epoch, version } = await collections.open(NOTES)
  const position = { epoch, reader: 'changes', fence: 1, since: version }
  await collections.advance(NOTES, {}, { ...position, cursor: { previous: null, next: 'cursor-1' } })
}

async function pushMutations({ collections, journal }: SqliteStore): Promise<void> {
  const { epoch } = await collections.open(NOTES)
  const push = { client: CLIENT, user: 'ada', epoch, acknowledged: 0, idempotent: false, mutations: MUTATIONS }
  await journal.accept(NOTES, push)
  const [{ key } = { key: '' }] = MUTATIONS
  const started = await journal.start(NOTES, key, { milliseconds: 1000, durable: true })
  if ('refused' in started) throw new Error(`expected a start, got ${started.refused}`)
  const write = { object: 'kept', set: { text: 'written 1' } }
  await journal.settle(NOTES, key, { epoch, fence: started.fence, status: 'applied', write })
}

/** Reads the sample back through a store. */
export async function readSample({ collections, journal, ...store }: SqliteStore): Promise<unknown> {
  const { epoch: _, mark, ...head } = (await collections.head(NOTES)) ?? {}
  const all = { start: 0, finish: -1 }
  return {
    head,
    objects: await collections.get(NOTES, ['kept', 'long']),
    gone: await collections.look(NOTES, 'gone'),
    rows: (await collections.list(NOTES, { limit: 9 })).rows,
    readers: await collections.readers(NOTES),
    outcomes: await journal.outcomes(NOTES, CLIENT, { after: 0, limit: 9 }),
    queued: await journal.queued(NOTES, { limit: 9 }),
    user: await store.registry.get('user', 'ada'),
    credentials: await store.registry.list('credential', { owner: 'ada', limit: 9 }),
    document: await store.documents.get('app', 'greeting'),
    blob: [...(await store.blobs.read(PHOTO, { offset: 0, length: 9 }))],
    holders: await store.blobs.holders(PHOTO),
    charged: await store.blobs.charged('ada'),
    series: await Promise.all([store.series.read('pulls', all), store.series.read('users', all)]),
    audit: await store.audit.list({ limit: 9 }),
    job: await store.jobs.get('ping', 'job-1'),
    busy: await store.leases.acquire({ kind: 'server', name: 'sweep' }, { holder: 'process-2', milliseconds: 1 }),
  }
}
