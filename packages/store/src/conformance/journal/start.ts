import { READ_BYTES } from '../../history/index.js'
import type { JournalEntry } from '../../journal.js'
import { type Suite, sure } from '../suite.js'
import { acceptedKeys, create, remove, run, settle, start, statuses, tryStart, update } from './mutations.js'

const KEY = 'key-of-mutation-1'

export function describeStart(suite: Suite): void {
  suite.describe('start', () => {
    describeBefore(suite)
    describeHeld(suite)
    describeLeased(suite)
  })
}

function describeBefore({ fact, expect }: Suite): void {
  fact('tells the object as it stood at the first start, whatever comes later', async scene => {
    const { collections } = scene.store
    await collections.apply(scene.collection, { merge: { a: { x: 1 } }, remove: ['gone'] })
    await acceptedKeys(scene, [
      update('a', { number: 1 }),
      update('gone', { number: 2 }),
      update('never', { number: 3 }),
    ])
    const first = await start(scene, KEY)
    expect(first).toMatchObject({ before: { state: 'live', version: 1, attributes: { x: 1 } }, entry: { attempts: 1 } })
    expect((await start(scene, 'key-of-mutation-2')).before).toEqual({ state: 'gone', version: 1 })
    expect((await start(scene, 'key-of-mutation-3')).before).toEqual({ state: 'never' })
    await collections.apply(scene.collection, { merge: { a: { x: 2 } } })
    await scene.store.journal.release(scene.collection, KEY, { fence: first.fence, to: 'queued' })
    const second = await start(scene, KEY)
    expect(second.before).toEqual(first.before)
    expect([second.entry.attempts, second.entry.state, second.epoch]).toEqual([2, 'started', first.epoch])
    expect(second.fence).toBeGreaterThan(first.fence)
  })

  fact('is refused to all but the first, and of what the journal does not know', async scene => {
    await acceptedKeys(scene, [update('a', { number: 1 })])
    const both = await Promise.all([tryStart(scene, KEY), tryStart(scene, KEY)])
    expect(both.filter(answer => 'refused' in answer)).toEqual([{ refused: 'state' }])
    expect(await tryStart(scene, 'a key that is not known')).toEqual({ refused: 'state' })
  })

  fact('never gives a fence again, not even after a drop', async scene => {
    await acceptedKeys(scene, [update('a', { number: 1 })])
    const { fence } = await start(scene, KEY)
    await scene.store.collections.drop(scene.collection)
    await acceptedKeys(scene, [update('a', { number: 1 })])
    expect((await start(scene, KEY)).fence).toBeGreaterThan(fence)
  })
}

function describeHeld({ fact, expect }: Suite): void {
  fact(
    'is held back by an earlier undecided mutation of its client for the same object, and by no other',
    async scene => {
      await acceptedKeys(scene, [update('a', { number: 1 }), update('b', { number: 2 }), remove('a', { number: 3 })])
      expect(await tryStart(scene, 'key-of-mutation-3')).toEqual({ refused: 'held' })
      await run(scene, 'key-of-mutation-2')
      await run(scene, KEY, { status: 'refused' })
      await run(scene, 'key-of-mutation-3')
      expect(await statuses(scene)).toEqual([
        [1, 2, 'applied'],
        [2, 1, 'refused'],
        [3, 3, 'applied'],
      ])
    },
  )

  fact('is held back by one in doubt', async scene => {
    await acceptedKeys(scene, [update('a', { number: 1, sent: true })], { idempotent: false })
    await acceptedKeys(scene, [update('a', { number: 2 })])
    expect(await tryStart(scene, 'key-of-mutation-2')).toEqual({ refused: 'held' })
    await settle(scene, KEY, { status: 'refused' })
    await start(scene, 'key-of-mutation-2')
  })

  fact(
    'is one per object over all clients: a started one of another client holds it back, a queued one does not',
    async scene => {
      const theirs = update('a', { number: 1, key: 'key of the second one' })
      await acceptedKeys(scene, [update('a', { number: 1 })])
      await acceptedKeys(scene, [theirs], { client: 'client: 2' })
      const { fence } = await start(scene, theirs.key)
      expect(await tryStart(scene, KEY)).toEqual({ refused: 'held' })
      await settle(scene, theirs.key, { fence })
      await start(scene, KEY)
    },
  )

  fact('waits for the time that a release named', async scene => {
    await acceptedKeys(scene, [create('a', { number: 1 })])
    const { fence } = await start(scene, KEY)
    await scene.store.journal.release(scene.collection, KEY, { fence, to: 'queued', retryIn: 500 })
    expect(await tryStart(scene, KEY)).toEqual({ refused: 'held' })
    expect(await scene.store.journal.queued(scene.collection, { limit: 9 })).toEqual([])
    scene.clock.now += 500
    expect((await scene.store.journal.queued(scene.collection, { limit: 9 })).length).toBe(1)
    await start(scene, KEY)
  })
}

function describeLeased({ fact, expect }: Suite): void {
  fact('is leased: listed as started only when its time has run out, with the fence to give it up', async scene => {
    const { journal } = scene.store
    await acceptedKeys(scene, [update('a', { number: 1 })])
    const { fence } = await start(scene, KEY, 1000)
    scene.clock.now += 999
    expect(await journal.undecided({ state: 'started', limit: 9 })).toEqual([])
    scene.clock.now += 1
    const [expired] = await journal.undecided({ state: 'started', limit: 9 })
    expect(expired).toMatchObject({ collection: scene.collection, fence, mutation: { key: KEY }, state: 'started' })
    expect(await tryStart(scene, KEY)).toEqual({ refused: 'state' })
    expect(await journal.release(scene.collection, KEY, { fence: sure(expired).fence, to: 'queued' })).toEqual({
      released: 'queued',
    })
    await start(scene, KEY)
  })

  fact('counts as run out when the clock was set back by more than a minute', async scene => {
    const { journal } = scene.store
    await acceptedKeys(scene, [update('a', { number: 1 })])
    await start(scene, KEY, 1000)
    scene.clock.now -= 30_000
    expect(await journal.undecided({ state: 'started', limit: 9 })).toEqual([])
    scene.clock.now -= 86_400_000
    expect((await journal.undecided({ state: 'started', limit: 9 })).length).toBe(1)
  })

  fact('waits no longer after a release when the clock was set back by more than a minute', async scene => {
    const { journal } = scene.store
    await acceptedKeys(scene, [update('a', { number: 1 })])
    const { fence } = await start(scene, KEY, 1000)
    await journal.release(scene.collection, KEY, { fence, to: 'queued', retryIn: 60_000 })
    const queued = async () => (await journal.queued(scene.collection, { limit: 9 })).length
    expect([await tryStart(scene, KEY), await queued()]).toEqual([{ refused: 'held' }, 0])
    scene.clock.now -= 86_400_000
    expect(await queued()).toBe(1)
    await start(scene, KEY, 1000)
  })

  fact('lists what is undecided over all collections, page by page', async scene => {
    const { journal } = scene.store
    const collections = ['x', 'y', 'z'].map(source => ({ source, partition: 'p' }))
    for (const collection of collections)
      await acceptedKeys({ ...scene, collection }, [update('a', { number: 1 }), update('b', { number: 2 })])
    await run({ ...scene, collection: sure(collections[1]) }, KEY)
    const found: string[] = []
    for (let after: Parameters<typeof journal.undecided>[0]['after']; ; ) {
      const page = await journal.undecided({ state: 'queued', after, limit: 2 })
      found.push(...page.map(entry => `${entry.collection.source}${entry.mutation.number}`))
      after = page.at(-1)
      if (!after) break
    }
    expect(found).toEqual(['x1', 'x2', 'y2', 'z1', 'z2'])
  })

  fact('lists contents of a mebibyte, or one, in a page', async scene => {
    const { journal } = scene.store
    const collections = ['x', 'y'].map(source => ({ source, partition: 'p' }))
    const sizes = [0.4, 0.4, 0.4, 1.2, 0.1].map(part => Math.floor(part * READ_BYTES))
    for (const collection of collections)
      for (const [at, size] of sizes.entries())
        await acceptedKeys({ ...scene, collection }, [
          create(`t${at}`, { number: at + 1, attributes: { note: 'x'.repeat(size) } }),
        ])
    const isBounded = (page: readonly JournalEntry[]) => {
      const bytes = page.map(({ mutation }) => JSON.stringify(mutation).length).reduce((sum, one) => sum + one, 0)
      expect(page.length <= 1 || bytes <= READ_BYTES * 1.5).toBe(true)
    }

    const found: string[] = []
    for (let after: Parameters<typeof journal.undecided>[0]['after']; ; ) {
      const page = await journal.undecided({ state: 'queued', after, limit: 100 })
      isBounded(page)
      found.push(...page.map(entry => `${entry.collection.source}${entry.mutation.number}`))
      after = page.at(-1)
      if (!after) break
    }
    expect(found).toEqual(['x1', 'x2', 'x3', 'x4', 'x5', 'y1', 'y2', 'y3', 'y4', 'y5'])

    const queued: number[] = []
    for (let after: number | undefined; ; ) {
      const page = await journal.queued(sure(collections[0]), { after, limit: 100 })
      isBounded(page)
      queued.push(...page.map(({ mutation }) => mutation.number))
      after = page.at(-1)?.sequence
      if (after === undefined) break
    }
    expect(queued).toEqual([1, 2, 3, 4, 5])
  })
}
