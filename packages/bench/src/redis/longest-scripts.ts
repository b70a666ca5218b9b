// Runs every script with its maximum amount of work. Prints, for each operation, the number of scripts and their processor time in Redis,
// average and maximum, in milliseconds:
//   node packages/bench/src/redis/longest-scripts.ts [ROUNDS, 3] [part of a NAME, all]
import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import type { Attributes, Mutation, ObjectMap } from '@godwit/protocol'
import type { CollectionId, Store } from '@godwit/store'
import { redisStore } from '@godwit/store-redis'
import { type ScriptCosts, startRedis, weighingHandle } from '@godwit/testing'
import { createClient } from 'redis'

const [rounds = '3', only = ''] = process.argv.slice(2)

interface Scene {
  readonly store: Store
  readonly collection: CollectionId
}

/** Prepares a case without measuring, and returns the function to measure. */
type Case = (scene: Scene) => Promise<() => Promise<unknown>>

const range = (count: number) => Array.from({ length: count }, (_, index) => index)
const ids = (count: number) => range(count).map(index => `id ${index}`)

/** Returns `count` attributes of the given length. */
const attributes = (count: number, length: number, mark = '') =>
  Object.fromEntries(range(count).map(index => [`name ${index}`, `${mark}${index} "${'x'.repeat(length)}"`]))

const objects = (count: number, one: (index: number) => Attributes): ObjectMap =>
  Object.fromEntries(range(count).map(index => [`id ${index}`, one(index)]))

/** Returns `count` attributes with short values. */
const numbers = (count: number, value: number | null = 0): Attributes =>
  Object.fromEntries(range(count).map(index => [`n${index}`, value]))

const reverse = (given: Attributes): Attributes => Object.fromEntries(Object.entries(given).reverse())

/** Applies one object. */
const applyOne =
  (attributes: Attributes) =>
  ({ store, collection }: Scene) =>
    store.collections.apply(collection, { merge: { one: attributes } })

const small = (mark: string) => (index: number) => attributes(6, 20, `${mark}${index}`)

async function fill({ store, collection }: Scene, count: number, one: (index: number) => Attributes): Promise<void> {
  for (let from = 0; from < count; from += 1000)
    await store.collections.apply(collection, {
      merge: Object.fromEntries(range(1000).map(index => [`id ${from + index}`, one(from + index)])),
    })
}

const applying =
  (before: (scene: Scene) => Promise<unknown>, batch: Parameters<Store['collections']['apply']>[1]): Case =>
  async scene => {
    await before(scene)
    return () => scene.store.collections.apply(scene.collection, batch)
  }

const nothing = async () => undefined

async function* parts(count: number, one: (index: number) => Attributes): AsyncGenerator<ObjectMap> {
  for (let from = 0; from < count; from += 2500)
    yield Object.fromEntries(
      range(Math.min(2500, count - from)).map(index => [`id ${from + index}`, one(from + index)]),
    )
}

async function replace({ store, collection }: Scene, count: number, one: (index: number) => Attributes) {
  const lease = await store.leases.acquire({ kind: 'query', collection }, { holder: 'one', milliseconds: 600_000 })
  const { epoch, version, queriesRequested } = await store.collections.open(collection)
  const options = { epoch, fence: lease?.fence ?? 0, since: version, queriesRequested, maxRemovedShare: 1 }
  return store.collections.replace(collection, parts(count, one), options)
}

const CLIENT = randomUUID()

/** Accepts mutations in pushes of 500. */
async function accept({ store, collection }: Scene, mutations: readonly Mutation[]): Promise<void> {
  const { epoch } = await store.collections.open(collection)
  for (let from = 0; from < mutations.length; from += 500) {
    const some = mutations.slice(from, from + 500)
    const push = { client: CLIENT, user: 'ada', epoch, acknowledged: 0, mutations: some, idempotent: true }
    const answer = await store.journal.accept(collection, push)
    if (!('entries' in answer)) throw new Error(JSON.stringify(answer))
  }
}

const create = (number: number, more: Partial<Mutation> = {}): Mutation => ({
  ...{ number, key: `key ${number} of a mutation`, operation: 'create', object: `temporary ${number}` },
  attributes: attributes(6, 20),
  ...more,
})
const update = (number: number, object: string, more: Partial<Mutation> = {}): Mutation => ({
  ...create(number, { object }),
  ...{ operation: 'update', was: attributes(6, 20), seen: 1 },
  ...more,
})
const key = (number: number) => `key ${number} of a mutation`

/** Returns creates in a chain, each of which depends on the previous one. */
const chain = (count: number) =>
  range(count).map(index => create(index + 1, index > 0 ? { owners: [`temporary ${index}`] } : {}))
/** Returns creates that all depend on the first. */
const fan = (count: number) =>
  range(count).map(index =>
    create(
      index + 1,
      index > 0 ? { owners: ['temporary 1'], attributes: { ...attributes(6, 20), of: 'temporary 1' } } : {},
    ),
  )

const creates = (count: number) => range(count).map(index => create(index + 1))
const large = (count: number) => range(count).map(index => update(index + 1, `id ${index}`))

/** Returns `count` creates, then `each` creates that depend on each of them. */
const families = (count: number, each: number) => [
  ...creates(count),
  ...range(count * each).map(index => {
    const owner = `temporary ${(index % count) + 1}`
    return create(count + index + 1, { owners: [owner], attributes: { ...attributes(6, 20), of: owner } })
  }),
]

/** Starts all mutations in one turn of the event loop, as with a backend that responds immediately. */
const startAll = ({ store, collection }: Scene, count: number) =>
  Promise.all(
    range(count).map(index => store.journal.start(collection, key(index + 1), { milliseconds: 60_000, durable: true })),
  )

async function settleAll(scene: Scene, count: number, set: () => Attributes) {
  const { store, collection } = scene
  const started = await startAll(scene, count)
  return () =>
    Promise.all(
      started.map((one, index) => {
        if (!('fence' in one)) throw new Error(JSON.stringify(one))
        const { epoch, fence, entry } = one
        const write = { object: entry.mutation.object, set: set() }
        return store.journal.settle(collection, key(index + 1), { epoch, fence, status: 'applied', write })
      }),
    )
}

async function settleFirst(scene: Scene, result: { status: 'applied' | 'refused'; link?: string }) {
  const { store, collection } = scene
  const started = await store.journal.start(collection, key(1), { milliseconds: 60_000, durable: true })
  if (!('fence' in started)) throw new Error(JSON.stringify(started))
  return () => store.journal.settle(collection, key(1), { epoch: started.epoch, fence: started.fence, ...result })
}

/** Settles all mutations. */
async function decide(scene: Scene, count: number): Promise<void> {
  const { store, collection } = scene
  const { epoch } = await store.collections.open(collection)
  for (let from = 1; from <= count; from += 100)
    await Promise.all(
      range(100).map(index => store.journal.settle(collection, key(from + index), { epoch, status: 'refused' })),
    )
}

const afterAccept =
  (
    mutations: readonly Mutation[],
    then: (scene: Scene) => (() => Promise<unknown>) | Promise<() => Promise<unknown>>,
  ): Case =>
  async scene => {
    await scene.store.collections.apply(scene.collection, { merge: { 'id 0': attributes(6, 20) } })
    await accept(scene, mutations)
    return then(scene)
  }

const CASES: Readonly<Record<string, Case>> = {
  'apply: 50 changed': applying(scene => fill(scene, 1000, small('a')), { merge: objects(50, small('b')) }),
  'apply: 1,000 new': applying(nothing, { merge: objects(1000, small('a')) }),
  'apply: 1,000 changed': applying(scene => fill(scene, 1000, small('a')), { merge: objects(1000, small('b')) }),
  'apply: 1,000 replaced': applying(scene => fill(scene, 1000, small('a')), { replace: objects(1000, small('b')) }),
  'apply: 1,000 equal': applying(scene => fill(scene, 1000, small('a')), { merge: objects(1000, small('a')) }),
  'apply: 1,000 removed': applying(scene => fill(scene, 1000, small('a')), { remove: ids(1000) }),
  'apply: 1,000 changed, 90 of them by others too': async scene => {
    await fill(scene, 1000, small('a'))
    const others = [0, 30, 60].map(from => ids(from + 30).slice(from))
    return () =>
      Promise.all([
        scene.store.collections.apply(scene.collection, { merge: objects(1000, small('b')) }),
        ...others.map((some, at) =>
          scene.store.collections.apply(scene.collection, {
            merge: Object.fromEntries(some.map((id, index) => [id, small(`c${at}`)(index)])),
          }),
        ),
      ])
  },
  'apply: 1 MiB of 100 attributes each': applying(scene => fill(scene, 1000, () => attributes(100, 20, 'a')), {
    merge: objects(250, () => attributes(100, 20, 'b')),
  }),
  'apply: 1 MiB of 10 KB each': applying(scene => fill(scene, 1000, () => attributes(2, 5000, 'a')), {
    merge: objects(100, () => attributes(2, 5000, 'b')),
  }),
  'apply: 10 objects, 400 attributes in another order each': applying(
    scene => scene.store.collections.apply(scene.collection, { merge: objects(10, () => numbers(400)) }),
    { replace: objects(10, () => reverse(numbers(400))) },
  ),
  'apply: 1 object, 20,000 attributes changed': applying(applyOne(numbers(20_000)), {
    merge: { one: numbers(20_000, 1) },
  }),
  'apply: 1 object, 20,000 attributes in another order': applying(applyOne(numbers(20_000)), {
    replace: { one: reverse(numbers(20_000)) },
  }),
  'apply: 1 object, 20,000 attributes removed': applying(applyOne(numbers(20_001)), {
    removeAttributes: { one: Object.keys(numbers(20_000)) },
  }),
  'replace: 1,000 of 400 attributes in another order': async scene => {
    await fill(scene, 1000, () => numbers(400))
    return () => replace(scene, 1000, () => reverse(numbers(400)))
  },
  'replace: 1 object, 20,000 attributes in another order': async scene => {
    await scene.store.collections.apply(scene.collection, { merge: objects(1, () => numbers(20_000)) })
    return () => replace(scene, 1, () => reverse(numbers(20_000)))
  },
  'settle: 1 object, 20,000 attributes are null': afterAccept([update(1, 'one')], async scene => {
    await applyOne(numbers(20_001))(scene)
    return settleAll(scene, 1, () => numbers(20_000, null))
  }),
  'replace: 50,000 new': async scene => () => replace(scene, 50_000, small('a')),
  'replace: 50,000 changed': async scene => {
    await fill(scene, 50_000, small('a'))
    return () => replace(scene, 50_000, small('b'))
  },
  'replace: 50,000 to 0': async scene => {
    await fill(scene, 50_000, small('a'))
    return () => replace(scene, 0, small('b'))
  },
  'replace: 5,000 of 10 KB': async scene => {
    await fill(scene, 5000, () => attributes(2, 5000, 'a'))
    return () => replace(scene, 5000, () => attributes(2, 5000, 'b'))
  },
  'replace: 5,000 of 100 attributes': async scene => {
    await fill(scene, 5000, () => attributes(100, 20, 'a'))
    return () => replace(scene, 5000, () => attributes(100, 20, 'b'))
  },
  'changes: 10,000 rows': async scene => {
    await fill(scene, 20_000, small('a'))
    return () => scene.store.collections.changes(scene.collection, { limit: 10_000 })
  },
  'changes: 2,000 rows of 10 KB': async scene => {
    await fill(scene, 2000, () => attributes(2, 5000, 'a'))
    return () => scene.store.collections.changes(scene.collection, { limit: 2000 })
  },
  'list: 10,000': async scene => {
    await fill(scene, 20_000, small('a'))
    return () => scene.store.collections.list(scene.collection, { limit: 10_000 })
  },
  'get: 10,000': async scene => {
    await fill(scene, 20_000, small('a'))
    return () => scene.store.collections.get(scene.collection, ids(10_000))
  },
  'readers: 20,000': async scene => {
    await fill(scene, 1000, small('a'))
    for (let from = 0; from < 20; from++)
      await Promise.all(
        range(1000).map(index =>
          scene.store.collections.recordReader(scene.collection, `${randomUUID()} ${from} ${index}`, 1),
        ),
      )
    return () => scene.store.collections.readers(scene.collection)
  },
  'compact: 20,000': async scene => {
    await fill(scene, 20_000, small('a'))
    for (let from = 0; from < 20_000; from += 1000)
      await scene.store.collections.apply(scene.collection, { remove: ids(from + 1000).slice(from) })
    for (let batch = 0; batch < 10; batch++)
      await Promise.all(
        range(1000).map(index => scene.store.collections.apply(scene.collection, { merge: { one: { batch, index } } })),
      )
    const { version } = await scene.store.collections.open(scene.collection)
    return async () => {
      while ((await scene.store.collections.compact(scene.collection, { below: version, limit: 10_000 })).more);
    }
  },
  'drop: 100,000': async scene => {
    await fill(scene, 100_000, small('a'))
    return () => scene.store.collections.drop(scene.collection)
  },
  'accept: 500 creates': afterAccept(
    [],
    ({ store, collection }) =>
      async () =>
        accept(
          { store, collection },
          range(500).map(index => create(index + 1)),
        ),
  ),
  'accept: 500 of 1 owner': afterAccept([], scene => async () => accept(scene, fan(500))),
  'accept: 500 of 1 MiB': afterAccept(
    [],
    scene => async () =>
      accept(
        scene,
        range(500).map(index =>
          update(index + 1, `id ${index}`, { attributes: attributes(2, 450, 'b'), was: attributes(2, 450, 'a') }),
        ),
      ),
  ),
  'accept: 500 updates of 1 object': afterAccept(
    [],
    scene => async () =>
      accept(
        scene,
        range(500).map(index => update(index + 1, 'id 0')),
      ),
  ),
  'accept: 500 again': afterAccept(fan(500), scene => () => accept(scene, fan(500))),
  'start: the last of 5,000 of one object': afterAccept(
    range(5000).map(index => update(index + 1, 'id 0')),
    ({ store, collection }) =>
      () =>
        store.journal.start(collection, key(5000), { milliseconds: 1000, durable: true }),
  ),
  'start: 500 at once': afterAccept(creates(500), scene => () => startAll(scene, 500)),
  'start: 500 at once of objects of 10 KB': afterAccept(large(500), async scene => {
    await fill(scene, 1000, () => attributes(2, 5000, 'a'))
    return () => startAll(scene, 500)
  }),
  'settle: 500 creates at once': afterAccept(creates(500), scene => settleAll(scene, 500, () => attributes(6, 20))),
  'settle: 500 updates of 10 KB at once': afterAccept(large(500), async scene => {
    await fill(scene, 1000, () => attributes(2, 5000, 'a'))
    return settleAll(scene, 500, () => attributes(2, 5000, 'b'))
  }),
  'settle: 500 updates of 100 attributes at once': afterAccept(large(500), async scene => {
    await fill(scene, 1000, () => attributes(100, 20, 'a'))
    return settleAll(scene, 500, () => attributes(100, 20, 'b'))
  }),
  'settle: 50 creates with 20 dependents each at once': afterAccept(families(50, 20), scene =>
    settleAll(scene, 50, () => attributes(6, 20)),
  ),
  'settle: 5,000 refused in a chain': afterAccept(chain(5000), scene => settleFirst(scene, { status: 'refused' })),
  'settle: 5,000 refused of one': afterAccept(fan(5000), scene => settleFirst(scene, { status: 'refused' })),
  'settle: 5,000 linked to one': afterAccept(fan(5000), scene =>
    settleFirst(scene, { status: 'applied', link: 'real 1' }),
  ),
  'acknowledge: 5,000': afterAccept(fan(5000), async scene => {
    await decide(scene, 5000)
    return () => scene.store.journal.acknowledge(scene.collection, CLIENT, 5000)
  }),
  'outcomes: 5,000 of 10,000': afterAccept(fan(10_000), async scene => {
    await decide(scene, 10_000)
    return () => scene.store.journal.outcomes(scene.collection, CLIENT, { after: 0, limit: 5000 })
  }),
  'queued: 5,000': afterAccept(
    fan(5000),
    ({ store, collection }) =>
      () =>
        store.journal.queued(collection, { limit: 5000 }),
  ),
  'undecided: 5,000': afterAccept(
    fan(5000),
    ({ store }) =>
      () =>
        store.journal.undecided({ state: 'queued', limit: 5000 }),
  ),
  'entries: 500': afterAccept(
    fan(500),
    ({ store, collection }) =>
      () =>
        store.journal.entries(
          collection,
          range(500).map(index => key(index + 1)),
        ),
  ),
  'dropClient: 5,000': afterAccept(fan(5000), async scene => {
    await decide(scene, 5000)
    return () => scene.store.journal.dropClient(scene.collection, CLIENT)
  }),
  'registry: list 10,000': async ({ store }) => {
    await people(store, 10_000)
    return () => store.registry.list('credential', { limit: 10_000 })
  },
  'registry: 10,000 of one owner go': async ({ store }) => {
    await people(store, 10_000)
    return () => store.registry.deleteOwned('credential', 'ada')
  },
  'registry: 10,000 expired': async ({ store }) => {
    await people(store, 10_000, 1)
    return () => store.registry.count('credential')
  },
  'documents: append to 1 MB': async ({ store }) => {
    await store.documents.set('scope', 'name', objects(4000, small('a')))
    return () => store.documents.append('scope', 'name', objects(100, small('b')))
  },
  'documents: append text to 1 MB': async ({ store }) => {
    await store.documents.set('scope', 'name', 'x'.repeat(1_000_000))
    return () => store.documents.append('scope', 'name', 'y'.repeat(10_000))
  },
  'documents: append to 32 KB': async ({ store }) => {
    await store.documents.set('scope', 'name', objects(75, small('a')))
    return () => store.documents.append('scope', 'name', objects(50, small('b')))
  },
  'series: 500 points':
    async ({ store }) =>
    () =>
      store.series.add(
        range(500).map(index => ({ key: `key ${index}`, time: 60_000, count: 1, sum: 1, min: 1, max: 1 })) as never,
      ),
  'clear: 50,000 objects, 10,000 records': async scene => {
    await fill(scene, 50_000, small('a'))
    await people(scene.store, 10_000)
    return () => scene.store.clear()
  },
}

async function people(store: Store, count: number, life = 600_000): Promise<void> {
  const expiresAt = (await store.now()) + life
  for (let from = 0; from < count; from += 500)
    await Promise.all(
      range(500).map(() =>
        store.registry.create('credential', {
          id: randomUUID(),
          owner: 'ada',
          expiresAt,
          value: { a: 1, purpose: 'session' },
        }),
      ),
    )
}

const redis = await startRedis()
const client = await createClient({ url: redis.url, RESP: 2 }).connect()
try {
  for (const [name, prepare] of Object.entries(CASES)) {
    if (!name.includes(only)) continue
    const weighed: ScriptCosts[] = []
    for (let round = 0; round < Number(rounds); round++) {
      await client.sendCommand(['FLUSHALL'])
      const { handle, take } = weighingHandle(client)
      const store = redisStore(handle)
      const act = await prepare({ store, collection: { source: 'City', partition: '*' } })
      take()
      await act()
      weighed.push(take())
    }
    const most = Math.min(...weighed.map(one => one.most)).toFixed(1)
    const all = weighed.map(one => one.most.toFixed(1)).join(' ')
    const mean = Math.min(...weighed.map(one => one.mean)).toFixed(2)
    writeSync(1, `| ${name} | ${weighed[0]?.scripts} | ${mean} | ${most} | ${all} |\n`)
  }
} finally {
  client.destroy()
  await redis.stop()
}
