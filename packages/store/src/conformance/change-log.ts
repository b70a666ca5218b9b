import type { ChangeOrigin, ObjectHistory, WriterOrigin } from '../collections.js'
import { COMMIT_LIFE, MAX_LISTED, maxCommits } from '../history/index.js'
import { HOSTILE } from './hostile.js'
import { acceptedKeys, CLIENT, create, remove, run, update } from './journal/mutations.js'
import { beginQuery, equalObjects } from './query.js'
import { headOf, type Scene, type Suite } from './suite.js'

const PUSH: WriterOrigin = { kind: 'push', login: 'billing' }
const EDIT: WriterOrigin = { kind: 'edit', login: 'admin' }
const DEVICE: ChangeOrigin = { kind: 'device', user: 'ada', client: CLIENT }

export const historyOf = ({ store, collection }: Scene, id: string, limit = 100): Promise<ObjectHistory> =>
  store.collections.history(collection, id, { limit })

const told = ({ versions }: ObjectHistory) =>
  versions.map(({ version, operation, origin }) => [version, operation, origin?.kind])

export function describeChangeLog(suite: Suite): void {
  suite.describe('history of an object', () => {
    describeOrigins(suite)
    describeChains(suite)
    describeForgetting(suite)
  })
}

function describeOrigins({ fact, expect }: Suite): void {
  fact('tells of each version when it came and who made it', async scene => {
    const { collections } = scene.store
    const at = scene.clock.now
    await collections.apply(scene.collection, { merge: { a: { x: 1 } } }, { origin: PUSH })
    scene.clock.now += 1000
    await collections.apply(scene.collection, { merge: { a: { x: 2 } } }, { origin: EDIT })
    scene.clock.now += 1000
    await acceptedKeys(scene, [update('a', { number: 1, seen: 2 })])
    await run(scene, 'key-of-mutation-1', { write: { object: 'a', set: { x: 3 } } })
    scene.clock.now += 1000
    await (await beginQuery(scene)).end({ a: { x: 4 } })
    expect(await historyOf(scene, 'a')).toEqual({
      state: 'live',
      versions: [
        { version: 4, operation: 'changed', time: at + 3000, origin: { kind: 'query' } },
        { version: 3, operation: 'changed', time: at + 2000, origin: DEVICE },
        { version: 2, operation: 'changed', time: at + 1000, origin: EDIT },
        { version: 1, operation: 'created', time: at, origin: PUSH },
      ],
      earlier: 'none',
    })
  })

  fact('tells the removal by a device, by a query and by a push, and what came after it', async scene => {
    const { collections } = scene.store
    await collections.apply(scene.collection, { merge: { a: { x: 1 }, b: {}, c: {} } }, { origin: PUSH })
    await acceptedKeys(scene, [remove('a', { number: 1, seen: 1 })])
    await run(scene, 'key-of-mutation-1', { write: { object: 'a', remove: true } })
    await collections.apply(scene.collection, { remove: ['b', 'unknown'] }, { origin: PUSH })
    await (await beginQuery(scene)).end({ a: { x: 5 } })
    expect(told(await historyOf(scene, 'a'))).toEqual([
      [4, 'created', 'query'],
      [2, 'removed', 'device'],
      [1, 'created', 'push'],
    ])
    expect(told(await historyOf(scene, 'b'))).toEqual([
      [3, 'removed', 'push'],
      [1, 'created', 'push'],
    ])
    expect(await historyOf(scene, 'c')).toMatchObject({ state: 'gone', earlier: 'none' })
    expect(told(await historyOf(scene, 'c'))[0]).toEqual([5, 'removed', 'query'])
    expect(told(await historyOf(scene, 'unknown'))).toEqual([[3, 'removed', 'push']])
  })

  fact('tells each of several mutations decided together apart by its own client', async scene => {
    await acceptedKeys(scene, [create('t1', { number: 1 })])
    await acceptedKeys(scene, [create('t2', { number: 1, key: 'key of another' })], { client: 'other', user: 'grace' })
    await Promise.all([
      run(scene, 'key-of-mutation-1', { write: { object: 'a', set: { x: 1 } }, link: 'a' }),
      run(scene, 'key of another', { write: { object: 'b', set: { x: 1 } }, link: 'b' }),
    ])
    expect((await historyOf(scene, 'a')).versions[0]?.origin).toEqual(DEVICE)
    expect((await historyOf(scene, 'b')).versions[0]?.origin).toEqual({
      kind: 'device',
      user: 'grace',
      client: 'other',
    })
  })

  fact('keeps hostile ids and names apart', async scene => {
    for (const id of HOSTILE)
      await scene.store.collections.apply(
        scene.collection,
        { merge: { [id]: { x: 1 } } },
        { origin: { kind: 'push', login: id } },
      )
    for (const id of HOSTILE) {
      const { versions } = await historyOf(scene, id)
      expect(versions.map(({ origin }) => origin)).toEqual([{ kind: 'push', login: id.toWellFormed() }])
    }
  })
}

function describeChains({ fact, expect }: Suite): void {
  fact('ends at the limit, and says that there is more', async scene => {
    for (let x = 0; x < 3; x++) await scene.store.collections.apply(scene.collection, { merge: { a: { x } } })
    expect(await historyOf(scene, 'a', 2)).toMatchObject({
      versions: [{ version: 3 }, { version: 2 }],
      earlier: 'more',
    })
    expect(await historyOf(scene, 'a', 3)).toMatchObject({ earlier: 'none' })
  })

  fact('is empty for an object that never was, and for a collection that does not exist', async scene => {
    const empty = { state: 'never', versions: [], earlier: 'none' }
    expect(await historyOf(scene, 'a')).toEqual(empty)
    await scene.store.collections.apply(scene.collection, { merge: { b: {} } })
    expect(await historyOf(scene, 'a')).toEqual(empty)
  })

  fact('knows who and when of a commit of many objects, and not what was before it', async scene => {
    const { collections } = scene.store
    await collections.apply(scene.collection, { merge: equalObjects(0, MAX_LISTED, { x: 1 }) }, { origin: PUSH })
    await collections.apply(scene.collection, { merge: equalObjects(0, MAX_LISTED + 1, { x: 2 }) }, { origin: EDIT })
    const versions = [{ version: 2, operation: 'written', time: scene.clock.now, origin: EDIT }]
    expect(await historyOf(scene, 'id 1')).toEqual({ state: 'live', versions, earlier: 'forgotten' })
    await collections.apply(scene.collection, { merge: { 'id 1': { x: 3 } } }, { origin: PUSH })
    expect(told(await historyOf(scene, 'id 1'))).toEqual([
      [3, 'changed', 'push'],
      [2, 'written', 'edit'],
    ])
  })
}

function describeForgetting({ fact, expect }: Suite): void {
  fact('says that it is not known where no origin was given', async scene => {
    await scene.store.collections.apply(scene.collection, { merge: { a: {} } })
    const versions = [{ version: 1, operation: 'created', time: scene.clock.now }]
    expect(await historyOf(scene, 'a')).toEqual({ state: 'live', versions, earlier: 'none' })
  })

  fact('is forgotten with age, compacted or not: the version stays, who and when are not known', async scene => {
    const { collections } = scene.store
    await collections.apply(scene.collection, { merge: { a: { x: 1 } } }, { origin: PUSH })
    scene.clock.now += COMMIT_LIFE
    await collections.apply(scene.collection, { merge: { a: { x: 2 } } }, { origin: EDIT })
    const expected = {
      state: 'live',
      versions: [
        { version: 2, operation: 'changed', time: scene.clock.now, origin: EDIT },
        { version: 1, operation: 'written' },
      ],
      earlier: 'forgotten',
    }
    expect(await historyOf(scene, 'a')).toEqual(expected)
    await collections.compact(scene.collection, { below: 2, limit: 10 })
    expect(await historyOf(scene, 'a')).toEqual(expected)
  })

  fact('is no longer stored once old commits are forgotten', async scene => {
    const { collections } = scene.store
    const write = (id: string) => collections.apply(scene.collection, { merge: { [id]: {} } }, { origin: PUSH })
    await collections.forgetHistory(scene.collection)
    for (let n = 0; n < 120; n++) await write(`old ${n}`)
    scene.clock.now += COMMIT_LIFE
    await write('young')
    await collections.forgetHistory(scene.collection)
    // With this time none of them is old.
    scene.clock.now -= COMMIT_LIFE - 1000
    for (const id of ['old 0', 'old 119']) expect(told(await historyOf(scene, id))[0]?.[2]).toBe(undefined)
    expect(told(await historyOf(scene, 'young'))).toEqual([[121, 'created', 'push']])
    scene.clock.now += 2 * COMMIT_LIFE
    await collections.forgetHistory(scene.collection)
    expect((await historyOf(scene, 'young')).earlier).toBe('forgotten')
  })

  fact('outlives the compaction of what devices need', async scene => {
    const { collections } = scene.store
    for (let x = 0; x < 3; x++) await collections.apply(scene.collection, { merge: { a: { x } } }, { origin: PUSH })
    await collections.compact(scene.collection, { below: 3, limit: 10 })
    expect((await headOf(scene)).floor).toBe(3)
    expect(told(await historyOf(scene, 'a')).map(([, , kind]) => kind)).toEqual(['push', 'push', 'push'])
  })

  fact('keeps a bounded number of commits', async scene => {
    const { collections } = scene.store
    await collections.apply(scene.collection, { merge: { old: {} } }, { origin: EDIT })
    const more = maxCommits(2)
    for (let x = 0; x < more; x++) await collections.apply(scene.collection, { merge: { a: { x } } }, { origin: PUSH })
    expect(await historyOf(scene, 'old')).toEqual({
      state: 'live',
      versions: [{ version: 1, operation: 'written' }],
      earlier: 'forgotten',
    })
    const { versions, earlier } = await historyOf(scene, 'a', 2 * more)
    expect([versions.length, versions.at(-1)?.operation, earlier]).toEqual([more, 'created', 'none'])
  })

  fact('goes with the collection', async scene => {
    const { collections } = scene.store
    await collections.apply(scene.collection, { merge: { a: {} } }, { origin: PUSH })
    await collections.drop(scene.collection)
    await collections.apply(scene.collection, { merge: { a: {} } })
    expect((await historyOf(scene, 'a')).versions).toEqual([
      { version: 1, operation: 'created', time: scene.clock.now },
    ])
  })
}
