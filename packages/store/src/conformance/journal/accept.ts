import { beginQuery } from '../query.js'
import { headOf, type Suite } from '../suite.js'
import {
  acceptedKeys,
  CLIENT,
  create,
  entryOf,
  outcomes,
  push,
  remove,
  run,
  statuses,
  tryStart,
  update,
} from './mutations.js'

const states = (entries: readonly { readonly mutation: { readonly number: number }; readonly state: string }[]) =>
  entries.map(({ mutation, state }) => [mutation.number, state])

export function describeAccept(suite: Suite): void {
  suite.describe('accept', () => {
    describeNumbers(suite)
    describeRefusals(suite)
    describeMoves(suite)
    describeSent(suite)
  })
}

function describeNumbers({ fact, expect }: Suite): void {
  fact('journals what is new, as it came', async scene => {
    const mutation = update('__proto__', {
      number: 1,
      attributes: { x: null, y: [1] },
      was: { x: 2 },
      was_digests: { y: 'a'.repeat(64) },
      changed: ['x'],
      seen: 7,
      blobs: ['x', '__proto__'],
      blobs_lost: true,
    })
    const [entry] = await acceptedKeys(scene, [mutation])
    expect(entry).toMatchObject({
      client: CLIENT,
      user: 'ada',
      state: 'queued',
      attempts: 0,
      collection: scene.collection,
    })
    expect(entry?.mutation).toEqual(mutation)
    expect((await entryOf(scene, mutation.key)).mutation).toEqual(mutation)
  })

  fact('returns known ones as they stand, in the order given', async scene => {
    await acceptedKeys(scene, [update('a', { number: 1 }), update('b', { number: 2 })])
    await run(scene, 'key-of-mutation-1')
    const again = await acceptedKeys(scene, [
      update('c', { number: 3 }),
      update('b', { number: 2 }),
      update('a', { number: 1 }),
    ])
    expect(states(again)).toEqual([
      [3, 'queued'],
      [2, 'queued'],
      [1, 'decided'],
    ])
    expect(again[2]?.outcome).toMatchObject({ outcome: 1, number: 1, status: 'applied' })
  })

  fact('keeps the content that came first under a key', async scene => {
    await acceptedKeys(scene, [update('a', { number: 1 })])
    const [entry] = await acceptedKeys(scene, [update('a', { number: 1, attributes: { name: 'other' } })])
    expect(entry?.mutation.attributes).toEqual({ name: 'changed' })
  })

  fact('counts every client by itself, and sequences the collection', async scene => {
    const [one] = await acceptedKeys(scene, [update('a', { number: 1, key: 'key of the first client' })])
    const [two] = await acceptedKeys(scene, [update('a', { number: 1, key: 'key of the second one' })], {
      client: 'client: 2',
    })
    expect(two?.sequence ?? 0).toBeGreaterThan(one?.sequence ?? 0)
    expect(await scene.store.journal.queued(scene.collection, { client: 'client: 2', limit: 9 })).toEqual([two])
  })
}

function describeRefusals({ fact, expect }: Suite): void {
  fact('refuses another epoch and says the present one', async scene => {
    const mutations = [update('a', { number: 1 })]
    expect(await push(scene, mutations, { epoch: 'other' })).toEqual({
      refused: 'epoch',
      epoch: (await headOf(scene)).epoch,
    })
    await scene.store.collections.drop(scene.collection)
    const acceptance = { client: CLIENT, user: 'ada', epoch: 'other', acknowledged: 0, mutations, idempotent: true }
    const answer = await scene.store.journal.accept(scene.collection, acceptance)
    expect(answer).toEqual({ refused: 'epoch', epoch: '' })
  })

  fact('refuses a gap with the number that comes next, and journals nothing of that push', async scene => {
    expect(await push(scene, [update('a', { number: 2 })])).toEqual({ refused: 'gap', expected: 1 })
    const leap = [update('a', { number: 1 }), update('b', { number: 3 })]
    expect(await push(scene, leap)).toEqual({ refused: 'gap', expected: 2 })
    expect(await scene.store.journal.entries(scene.collection, ['key-of-mutation-1'])).toEqual([])
    expect(states(await acceptedKeys(scene, [update('a', { number: 1 })]))).toEqual([[1, 'queued']])
  })

  fact('takes a known number with another key for a fork, and journals nothing of that push', async scene => {
    await acceptedKeys(scene, [update('a', { number: 1 })])
    const forked = [update('b', { number: 2 }), update('a', { number: 1, key: 'a key that is not known' })]
    expect(await push(scene, forked)).toEqual({ refused: 'forked' })
    expect(await scene.store.journal.entries(scene.collection, ['key-of-mutation-2'])).toEqual([])
    const twice = [update('b', { number: 2 }), update('b', { number: 2, key: 'the same number again' })]
    expect(await push(scene, twice)).toEqual({ refused: 'forked' })
  })

  fact('takes an acknowledgement outside of what it gave for a fork', async scene => {
    expect(await push(scene, [], { acknowledged: 1 })).toEqual({ refused: 'forked' })
    await acceptedKeys(scene, [update('a', { number: 1 }), update('b', { number: 2 })])
    await run(scene, 'key-of-mutation-1')
    await run(scene, 'key-of-mutation-2')
    expect(await push(scene, [], { acknowledged: 3 })).toEqual({ refused: 'forked' })
    expect(await push(scene, [], { acknowledged: 1 })).toEqual({ entries: [], last: 2, queried: false })
    expect(await push(scene, [update('c', { number: 3 })], { acknowledged: 0 })).toEqual({ refused: 'forked' })
    expect(await statuses(scene)).toEqual([[2, 2, 'applied']])
  })

  fact('tells whether a query of the collection was ever complete', async scene => {
    expect(await push(scene, [update('a', { number: 1 })])).toMatchObject({ queried: false })
    const { end } = await beginQuery(scene)
    await end({})
    expect(await push(scene, [update('b', { number: 2 })])).toMatchObject({ last: 0, queried: true })
  })

  fact('never hands a mutation to another user', async scene => {
    await acceptedKeys(scene, [update('a', { number: 1 })])
    const stolen = await push(scene, [update('a', { number: 1 })], { client: 'client: 2', user: 'grace' })
    expect(stolen).toEqual({ refused: 'forked' })
  })
}

function describeMoves({ fact, expect }: Suite): void {
  const other = { client: 'client: 2' }

  fact('moves a known key to the client and number that send it now, state and all', async scene => {
    const known = update('a', { number: 1 })
    const [first] = await acceptedKeys(scene, [known])
    const moved = await acceptedKeys(
      scene,
      [update('b', { number: 1, key: 'new with this client' }), { ...known, number: 2, sent: true }],
      other,
    )
    expect(states(moved)).toEqual([
      [1, 'queued'],
      [2, 'queued'],
    ])
    expect(moved[1]).toMatchObject({ client: 'client: 2', sequence: first?.sequence })
    expect(await scene.store.journal.queued(scene.collection, { client: CLIENT, limit: 9 })).toEqual([])
  })

  fact('moves a known key to another number of the same client', async scene => {
    await acceptedKeys(scene, [update('a', { number: 1 })])
    const [moved] = await acceptedKeys(scene, [update('a', { number: 2, key: 'key-of-mutation-1' })])
    expect(moved).toMatchObject({ mutation: { number: 2 }, state: 'queued' })
    await run(scene, 'key-of-mutation-1')
    expect(await statuses(scene)).toEqual([[1, 2, 'applied']])
  })

  fact(
    'gives a moved one that has an outcome a new outcome number, and takes it from the former client',
    async scene => {
      const known = update('a', { number: 1 })
      await acceptedKeys(scene, [known])
      await run(scene, known.key)
      const first = { ...update('b', { number: 1, key: 'new with this client' }) }
      await acceptedKeys(scene, [first], other)
      await run(scene, first.key)
      await acceptedKeys(scene, [{ ...known, number: 2, sent: true }], other)
      expect(await statuses(scene, 'client: 2')).toEqual([
        [1, 1, 'applied'],
        [2, 2, 'applied'],
      ])
      expect(await outcomes(scene)).toEqual([])
      expect(await tryStart(scene, known.key)).toEqual({ refused: 'state' })
    },
  )
}

function describeSent({ fact, expect }: Suite): void {
  fact('queues an unknown one that may have run, if running it twice does no harm', async scene => {
    expect(states(await acceptedKeys(scene, [remove('a', { number: 1, sent: true })]))).toEqual([[1, 'queued']])
  })

  fact('puts it in doubt at once otherwise, with that outcome, and asks for a query', async scene => {
    const mutations = [create('a', { number: 1, sent: true }), create('b', { number: 2 })]
    expect(states(await acceptedKeys(scene, mutations, { idempotent: false }))).toEqual([
      [1, 'in_doubt'],
      [2, 'queued'],
    ])
    expect(await statuses(scene)).toEqual([[1, 1, 'in_doubt']])
    expect(await headOf(scene)).toMatchObject({ queriesRequested: 1 })
    expect(await tryStart(scene, 'key-of-mutation-1')).toEqual({ refused: 'state' })
  })
}
