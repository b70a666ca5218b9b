import { acceptedKeys, CLIENT, create, outcomes, run, start } from './journal/mutations.js'
import { beginQuery } from './query.js'
import { codeOf, headOf, type Scene, type Suite, sure } from './suite.js'

export function describeLifecycle(suite: Suite): void {
  suite.describe('lifecycle', () => {
    describeClose(suite)
    describeClear(suite)
    if (suite.durable) describeReopen(suite)
  })
}

function describeClose({ fact, expect }: Suite): void {
  fact('is checked, and tells its time', async ({ store, clock }) => {
    await store.check()
    expect(await store.now()).toBe(clock.now)
  })

  fact('closes twice', async ({ store }) => {
    await store.close()
    await store.close()
  })

  fact('rejects any use after it was closed', async ({ store, collection }) => {
    await store.close()
    const uses = [
      () => store.check(),
      () => store.now(),
      () => store.measure(),
      () => store.clear(),
      () => store.collections.open(collection),
      () => store.collections.changes(collection, { limit: 1 }),
      () => store.journal.queued(collection, { limit: 1 }),
      () => store.documents.get('scope', 'name'),
      () => store.blobs.find({ scope: 'scope', name: 'name' }),
      () => store.registry.get('user', 'ada'),
      () => store.leases.acquire({ kind: 'server', name: 'task' }, { holder: 'one', milliseconds: 1 }),
      () => store.counters.add('a', 1),
      () => store.series.add([]),
      () => store.audit.append([]),
      () => store.audit.head(),
      () => store.series.keys(),
      () => store.events.publish('channel', 1),
      () => store.events.subscribe('channel', () => undefined),
    ]
    expect(await Promise.all(uses.map(use => codeOf(use())))).toEqual(uses.map(() => 'store_unavailable'))
  })

  fact('finishes the writes that are under way when it closes', async ({ store, collection }) => {
    const write = store.collections.apply(collection, { merge: { a: {} } })
    await store.close()
    expect(await write).toMatchObject({ version: 1 })
  })
}

function describeClear({ fact, expect }: Suite): void {
  fact('clears everything but the kinds it is told to keep; epochs are new', async scene => {
    const { store, collection } = scene
    const { epoch } = await fill(scene)
    await store.leases.acquire({ kind: 'server', name: 'task' }, { holder: 'one', milliseconds: 1000 })
    await store.clear({ keep: ['credential'] })
    expect(await store.collections.collections({ limit: 9 })).toEqual([])
    expect(await store.journal.undecided({ state: 'queued', limit: 9 })).toEqual([])
    expect(await store.documents.names('scope')).toEqual([])
    expect(await store.series.keys()).toEqual([])
    expect([await store.registry.count('user'), await store.registry.count('credential')]).toEqual([0, 1])
    expect(
      await store.leases.acquire({ kind: 'server', name: 'task' }, { holder: 'two', milliseconds: 1 }),
    ).toMatchObject({})
    const head = await store.collections.open(collection)
    expect([head.version, head.epoch === epoch]).toEqual([0, false])
    await store.clear()
    expect(await store.registry.count('credential')).toBe(0)
  })
}

/** Writes some durable data of every kind. */
async function fill(scene: Scene) {
  const { store, collection } = scene
  await (await beginQuery(scene, { nextQueryIn: 99 })).end({ a: { x: 1 }, b: { x: 1 } })
  await store.collections.apply(collection, { merge: { a: { x: 2 } }, remove: ['b'] })
  await acceptedKeys(
    scene,
    [1, 2, 3, 4].map(number => create(`t${number}`, { number })),
  )
  await run(scene, 'key-of-mutation-1', { link: 'real', write: { object: 'real', set: { x: 1 } } })
  await start(scene, 'key-of-mutation-2', 1000)
  await store.journal.flush(collection)
  await store.documents.set('scope', 'name', { a: { x: 1 } })
  await store.audit.append([{ number: 1, text: 'entry', hash: 'hash' }])
  await store.series.add([{ key: 'users', time: 1_699_999_980, value: 1 }])
  await store.registry.create('user', { id: 'ada', value: { n: 1 } })
  await store.registry.create('credential', { id: 'token', value: {}, owner: 'ada', expiresAt: scene.clock.now + 5000 })
  return headOf(scene)
}

/** Reads all data that `fill` wrote. */
async function inventory({ store, collection }: Scene): Promise<unknown> {
  return {
    head: await store.collections.head(collection),
    rows: await store.collections.changes(collection, { limit: 99 }),
    outcomes: await store.journal.outcomes(collection, CLIENT, { after: 0, limit: 99 }),
    queued: await store.journal.queued(collection, { limit: 99 }),
    started: await store.journal.undecided({ state: 'started', limit: 99 }),
    document: await store.documents.get('scope', 'name'),
    audit: [await store.audit.head(), await store.audit.list({ limit: 9 })],
    series: await store.series.read('users', { start: 0, finish: -1 }),
    records: [await store.registry.get('user', 'ada'), await store.registry.list('credential', { limit: 9 })],
  }
}

function describeReopen({ fact, expect }: Suite): void {
  fact('finds everything that was acknowledged when it is opened again', async scene => {
    await fill(scene)
    scene.clock.now += 1000
    const before = await inventory(scene)
    await scene.store.close()
    const reopened = { ...scene, store: await sure(scene.reopen)() }
    expect(await inventory(reopened)).toEqual(before)
    await goesOn(reopened, expect)
    await reopened.store.close()
  })
}

/** Asserts that numbers, versions and fences continue where they were. */
async function goesOn(scene: Scene, expect: Suite['expect']): Promise<void> {
  const { store, collection } = scene
  const [expired] = await store.journal.undecided({ state: 'started', limit: 9 })
  const { fence, mutation } = sure(expired)
  await store.journal.release(collection, mutation.key, { fence, to: 'queued' })
  expect((await start(scene, mutation.key)).fence).toBeGreaterThan(fence)
  await run(scene, 'key-of-mutation-3', { status: 'refused' })
  expect((await outcomes(scene)).map(({ outcome }) => outcome)).toEqual([1, 2])
  const { version } = await headOf(scene)
  expect(await store.collections.apply(collection, { merge: { z: {} } })).toMatchObject({ version: version + 1 })
}
