import type { ReadPosition } from '../collections.js'
import { headOf, queryLease, type Scene, type Suite, sure } from './suite.js'

/** Creates a, then b; then creates and removes c, then removes a: tombstones at 4 and 5. */
async function withTombstones({ store, collection }: Scene): Promise<void> {
  await store.collections.apply(collection, { merge: { a: {} } })
  await store.collections.apply(collection, { merge: { b: {} } })
  await store.collections.apply(collection, { merge: { c: {} } })
  await store.collections.apply(collection, { remove: ['c'] })
  await store.collections.apply(collection, { remove: ['a'] })
}

export function describeCompaction(suite: Suite): void {
  suite.describe('compaction', () => {
    describeRemoving(suite)
    describePositions(suite)
    describeReaders(suite)
    describeTimes(suite)
  })
}

function describeRemoving({ fact, expect }: Suite): void {
  fact('removes old tombstones, never objects, and raises the floor in the same step', async scene => {
    await withTombstones(scene)
    const { collections } = scene.store
    const before = await headOf(scene)
    expect(await collections.compact(scene.collection, { below: 4, limit: 100 })).toEqual({ removed: 1, more: false })
    expect(await headOf(scene)).toEqual({ ...before, floor: 4 })
    expect(await collections.look(scene.collection, 'c')).toEqual({ state: 'never' })
    expect(await collections.look(scene.collection, 'a')).toEqual({ state: 'gone', version: 5 })
    expect(await collections.look(scene.collection, 'b')).toMatchObject({ state: 'live', version: 2 })
  })

  fact('never raises the floor above the head, and never lowers it', async scene => {
    await withTombstones(scene)
    const { collections } = scene.store
    expect(await collections.compact(scene.collection, { below: 99, limit: 100 })).toEqual({ removed: 2, more: false })
    await collections.compact(scene.collection, { below: 3, limit: 100 })
    expect(await headOf(scene)).toMatchObject({ floor: 5, version: 5, count: 1 })
  })

  fact('goes in steps, oldest first, and says that there is more', async scene => {
    const { collections } = scene.store
    for (const id of ['a', 'b', 'c']) await collections.apply(scene.collection, { remove: [id] })
    const step = () => collections.compact(scene.collection, { below: 3, limit: 2 })
    expect(await step()).toEqual({ removed: 2, more: true })
    expect(await headOf(scene)).toMatchObject({ floor: 2 })
    expect(await collections.look(scene.collection, 'c')).toEqual({ state: 'gone', version: 3 })
    expect(await step()).toEqual({ removed: 1, more: false })
    expect(await headOf(scene)).toMatchObject({ floor: 3 })
  })

  fact('does nothing while a query runs, or where there is no collection', async scene => {
    const { collections } = scene.store
    expect(await collections.compact(scene.collection, { below: 9, limit: 9 })).toEqual({ removed: 0, more: false })
    await withTombstones(scene)
    const lease = await queryLease(scene)
    expect(await collections.compact(scene.collection, { below: 9, limit: 9 })).toEqual({ removed: 0, more: false })
    expect(await headOf(scene)).toMatchObject({ floor: 0 })
    await scene.store.leases.release(lease)
    expect(await collections.compact(scene.collection, { below: 9, limit: 9 })).toEqual({ removed: 2, more: false })
  })
}

function describePositions({ fact, expect }: Suite): void {
  fact(
    'voids what is below the floor, by its base or, in a pass from zero, its start; not what stands at it',
    async scene => {
      const { collections } = scene.store
      await withTombstones(scene)
      const marks = new Map<number, string>()
      await collections.apply(scene.collection, { merge: { d: {} } })
      marks.set(6, (await headOf(scene)).mark)
      await collections.apply(scene.collection, { merge: { e: {} } })
      const { epoch, version, mark } = await headOf(scene)
      const at = { epoch, head: version, mark, after: { version: 9, id: '' } }
      await collections.compact(scene.collection, { below: 6, limit: 100 })
      const isVoid = async (from: ReadPosition) =>
        (await collections.changes(scene.collection, { from, limit: 9 }))?.fromZero
      expect(await isVoid({ ...at, base: 5, start: 0 })).toBe(true)
      expect(await isVoid({ ...at, base: 6, start: 0 })).toBe(false)
      expect(await isVoid({ ...at, base: 0, start: 5 })).toBe(true)
      expect(await isVoid({ ...at, base: 0, start: 6 })).toBe(false)
      expect(await isVoid({ ...at, head: 6, mark: sure(marks.get(6)), base: 6, start: 0 })).toBe(false)
    },
  )
}

function describeReaders({ fact, expect }: Suite): void {
  fact('knows readers whose ids are names of what objects have', async scene => {
    const { collections } = scene.store
    await collections.open(scene.collection)
    const ids = ['', '__proto__', 'constructor', 'toString']
    for (const id of ids) await collections.recordReader(scene.collection, id, 1)
    expect((await collections.readers(scene.collection)).map(({ reader }) => reader)).toEqual(ids)
  })

  fact('knows where readers stand, by the store\u2019s clock, until they are dropped', async scene => {
    const { collections } = scene.store
    await collections.recordReader(scene.collection, 'early', 1)
    expect(await collections.readers(scene.collection)).toEqual([])
    await collections.open(scene.collection)
    await collections.recordReader(scene.collection, 'two:*', 7)
    await collections.recordReader(scene.collection, 'one', 3)
    scene.clock.now += 5
    await collections.recordReader(scene.collection, 'one', 4)
    const at = scene.clock.now
    const one = { reader: 'one', base: 4, at }
    expect(await collections.readers(scene.collection)).toEqual([one, { reader: 'two:*', base: 7, at: at - 5 }])
    await collections.dropReader(scene.collection, 'two:*')
    expect(await collections.readers(scene.collection)).toEqual([one])
    await collections.drop(scene.collection)
    await collections.open(scene.collection)
    expect(await collections.readers(scene.collection)).toEqual([])
  })
}

function describeTimes({ fact, expect }: Suite): void {
  fact('leaves it known which version was the head at a time, down to the floor', async scene => {
    const { collections } = scene.store
    expect(await collections.versionAt(scene.collection, scene.clock.now)).toBe(0)
    await collections.open(scene.collection)
    const began = scene.clock.now
    for (const id of ['a', 'b', 'c']) {
      scene.clock.now += 10
      await collections.apply(scene.collection, { merge: { [id]: {} } })
    }
    const at = (milliseconds: number) => collections.versionAt(scene.collection, began + milliseconds)
    expect(await Promise.all([-5, 5, 10, 19, 20, 999].map(at))).toEqual([0, 0, 1, 1, 2, 3])
    await collections.compact(scene.collection, { below: 2, limit: 9 })
    expect(await Promise.all([5, 25, 30].map(at))).toEqual([2, 2, 3])
  })
}
