import type { Suite } from '../suite.js'
import {
  acceptedKeys,
  CLIENT,
  create,
  entryOf,
  outcomes,
  push,
  run,
  settle,
  start,
  statuses,
  tryStart,
  update,
} from './mutations.js'

const key = (number: number) => `key-of-mutation-${number}`

export function describeAcknowledged({ fact, expect }: Suite): void {
  fact(
    'go when they are acknowledged, with the content of their mutations; numbers are never given again',
    async scene => {
      await acceptedKeys(scene, [create('t1', { number: 1 }), create('b', { number: 2 })])
      await run(scene, key(1), { link: 'a', write: { object: 'a', set: { x: 1 } } })
      await run(scene, key(2), { write: { object: 'b', set: { x: 1 } } })
      await scene.store.journal.acknowledge(scene.collection, CLIENT, 1)
      expect(await statuses(scene)).toEqual([[2, 2, 'applied']])
      const entry = await entryOf(scene, key(1))
      expect([entry.state, 'attributes' in entry.mutation, entry.outcome]).toEqual([
        'decided',
        false,
        { outcome: 1, number: 1, status: 'applied', link: 'a', object: 't1', version: 1 },
      ])
      await scene.store.journal.acknowledge(scene.collection, CLIENT, 2)
      await acceptedKeys(scene, [update('a', { number: 3, owners: ['t1'] })], { acknowledged: 2 })
      expect((await run(scene, key(3))).outcome.outcome).toBe(3)
    },
  )

  fact('go with what the device saw, values and digests, when they are acknowledged', async scene => {
    const seen = { was: { x: 2 }, was_digests: { y: 'a'.repeat(64) }, changed: ['x'] }
    await acceptedKeys(scene, [update('a', { number: 1, ...seen })])
    await run(scene, key(1), { overwrote: { y: 'theirs' } })
    await scene.store.journal.acknowledge(scene.collection, CLIENT, 1)
    const { mutation, outcome } = await entryOf(scene, key(1))
    expect(mutation).toEqual({ number: 1, key: key(1), operation: 'update', object: 'a' })
    expect(outcome && 'overwrote' in outcome).toBe(false)
  })

  fact('stay when a number above the last is acknowledged', async scene => {
    await acceptedKeys(scene, [create('a', { number: 1 })])
    await run(scene, key(1))
    await scene.store.journal.acknowledge(scene.collection, CLIENT, 2)
    await scene.store.journal.acknowledge(scene.collection, 'client: 9', 2)
    expect(await statuses(scene)).toEqual([[1, 1, 'applied']])
  })

  fact('known by number and key are answered again, also without content', async scene => {
    await acceptedKeys(scene, [create('a', { number: 1 })])
    await run(scene, key(1))
    const [again] = await acceptedKeys(scene, [create('a', { number: 1 })], { acknowledged: 1 })
    expect(again).toMatchObject({ state: 'decided', outcome: { status: 'applied' } })
    expect(again && 'attributes' in again.mutation).toBe(false)
  })

  fact('of one in doubt can be acknowledged: it keeps its content until it is decided', async scene => {
    await acceptedKeys(scene, [create('a', { number: 1 })])
    const { fence } = await start(scene, key(1))
    await scene.store.journal.release(scene.collection, key(1), { fence, to: 'in_doubt' })
    await scene.store.journal.acknowledge(scene.collection, CLIENT, 1)
    expect(await outcomes(scene)).toEqual([])
    await scene.store.journal.retry(scene.collection, key(1))
    expect((await start(scene, key(1))).entry.mutation.attributes).toEqual({ name: 'a' })
  })
}

export function describeContentless({ fact, expect }: Suite): void {
  fact('and entries of a contentless push hold no content, but order and owners work', async scene => {
    const mutations = [
      create('t1', { number: 1, attributes: { secret: 1 } }),
      update('t1', {
        number: 2,
        attributes: { secret: 't1' },
        was: { secret: 1 },
        was_digests: { secret: 'a'.repeat(64) },
        changed: ['secret'],
        owners: ['t1'],
      }),
    ]
    const entries = await acceptedKeys(scene, mutations, { contentless: true })
    expect(JSON.stringify(entries).includes('secret')).toBe(false)
    expect(await tryStart(scene, key(2))).toEqual({ refused: 'held' })
    await run(scene, key(1), { link: 'real 1' })
    const { entry } = await start(scene, key(2))
    expect(entry.mutation).toEqual({ number: 2, key: key(2), operation: 'update', object: 'real 1' })
    expect(JSON.stringify(await outcomes(scene)).includes('secret')).toBe(false)
  })

  fact('of a contentless push hold no object, though the one who settles is told it', async scene => {
    await acceptedKeys(scene, [create('a', { number: 1 })], { contentless: true })
    const { outcome } = await run(scene, key(1), { write: { object: 'a', set: { x: 1 } } })
    expect(outcome.attributes).toEqual({ x: 1 })
    expect(await outcomes(scene)).toEqual([{ outcome: 1, number: 1, status: 'applied', version: 1 }])
  })

  fact('of a contentless push hold nothing of what it replaced', async scene => {
    await acceptedKeys(scene, [update('a', { number: 1 })], { contentless: true })
    await run(scene, key(1), { overwrote: { secret: 1 } })
    expect(JSON.stringify(await outcomes(scene)).includes('secret')).toBe(false)
  })
}

export function describeDropClient({ fact, expect }: Suite): void {
  fact('of a dropped client are forgotten; what is undecided runs on', async scene => {
    const { journal } = scene.store
    await acceptedKeys(scene, [update('a', { number: 1 }), update('b', { number: 2 }), update('c', { number: 3 })])
    await run(scene, key(1))
    const { fence } = await start(scene, key(2))
    await journal.dropClient(scene.collection, CLIENT)
    expect(await outcomes(scene)).toEqual([])
    expect((await journal.entries(scene.collection, [1, 2, 3].map(key))).map(({ state }) => state)).toEqual([
      'started',
      'queued',
    ])
    await settle(scene, key(2), { fence, write: { object: 'b', set: { x: 1 } } })
    await run(scene, key(3))
    expect(await scene.store.collections.get(scene.collection, ['b'])).toEqual({ b: { x: 1 } })
  })

  fact('of a dropped client are not made again by a late copy of its requests', async scene => {
    const { journal, collections } = scene.store
    const first = [create('t1', { number: 1 })]
    await acceptedKeys(scene, first)
    await run(scene, key(1), { link: 'a', write: { object: 'a', set: { x: 1 } } })
    await acceptedKeys(scene, [create('t2', { number: 2 })])
    await journal.dropClient(scene.collection, CLIENT)
    expect(await push(scene, first)).toEqual({ refused: 'forked' })
    expect(await push(scene, [create('t3', { number: 3 })], { acknowledged: 1 })).toEqual({ refused: 'forked' })
    await run(scene, key(2), { link: 'b', write: { object: 'b', set: { x: 2 } } })
    await journal.dropClient(scene.collection, CLIENT)
    expect(await push(scene, first)).toEqual({ refused: 'forked' })
    expect(await outcomes(scene)).toEqual([])
    expect(await collections.get(scene.collection, ['a', 'b'])).toEqual({ a: { x: 1 }, b: { x: 2 } })
  })

  fact('of a dropped client: its undecided mutations move to the client that its device takes next', async scene => {
    await acceptedKeys(scene, [update('a', { number: 1 })])
    await scene.store.journal.dropClient(scene.collection, CLIENT)
    const [moved] = await acceptedKeys(scene, [update('a', { number: 1, sent: true })], {
      client: 'client: 2',
      idempotent: false,
    })
    expect(moved).toMatchObject({ client: 'client: 2', state: 'queued' })
    expect(await push(scene, [update('b', { number: 3 })], { client: 'client: 2' })).toEqual({
      refused: 'gap',
      expected: 2,
    })
  })
}
