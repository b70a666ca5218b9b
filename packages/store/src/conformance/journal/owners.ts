import type { Scene, Suite } from '../suite.js'
import {
  acceptedKeys,
  create,
  entryOf,
  outcomes,
  remove,
  run,
  settle,
  start,
  statuses,
  tryStart,
  update,
} from './mutations.js'

const other = { client: 'client: 2' }

export function describeOwners(suite: Suite): void {
  suite.describe('owners', () => {
    describeLinks(suite)
    describeRefusals(suite)
    describeAcrossClients(suite)
  })
}

/** t1 is created, t2 within t1, t3 within t2, and t1 is changed; numbers 1 to 4. */
const family = [
  create('t1', { number: 1 }),
  create('t2', { number: 2, attributes: { parent: 't1', text: 'of t1', list: ['t1'] }, owners: ['t1'] }),
  create('t3', { number: 3, attributes: { parent: 't2', root: 't1' }, owners: ['t2', 't1'] }),
  update('t1', { number: 4, attributes: { child: 't2' }, was: { child: 't1' }, owners: ['t1', 't2'] }),
]

const key = (number: number) => `key-of-mutation-${number}`

function describeLinks({ fact, expect }: Suite): void {
  fact('hold back until their creates are decided', async scene => {
    await acceptedKeys(scene, family)
    for (const number of [2, 3, 4]) expect(await tryStart(scene, key(number))).toEqual({ refused: 'held' })
    const { fence } = await start(scene, key(1))
    expect(await tryStart(scene, key(2))).toEqual({ refused: 'held' })
    await settle(scene, key(1), { fence })
    await start(scene, key(2))
    expect(await tryStart(scene, key(3))).toEqual({ refused: 'held' })
  })

  fact('are rewritten by a link: as object, as whole values of attributes and was, never within', async scene => {
    await acceptedKeys(scene, family)
    await run(scene, key(1), { link: 'real 1' })
    expect((await entryOf(scene, key(2))).mutation).toEqual(
      create('t2', { number: 2, attributes: { parent: 'real 1', text: 'of t1', list: ['t1'] } }),
    )
    expect((await entryOf(scene, key(3))).mutation.owners).toEqual(['t2'])
    await run(scene, key(2), { link: 'real 2' })
    expect((await entryOf(scene, key(3))).mutation.attributes).toEqual({ parent: 'real 2', root: 'real 1' })
    const last = update('real 1', { number: 4, attributes: { child: 'real 2' }, was: { child: 'real 1' } })
    expect((await entryOf(scene, key(4))).mutation).toEqual(last)
  })

  fact(
    'are tombstones, rows and mutations of others no business of: only who names an owner is rewritten',
    async scene => {
      await scene.store.collections.apply(scene.collection, { merge: { a: { parent: 't1' } } })
      await acceptedKeys(scene, [create('t1', { number: 1 }), update('b', { number: 2, attributes: { parent: 't1' } })])
      await run(scene, key(1), { link: 'real 1' })
      expect((await entryOf(scene, key(2))).mutation.attributes).toEqual({ parent: 't1' })
      expect(await scene.store.collections.get(scene.collection, ['a'])).toEqual({ a: { parent: 't1' } })
    },
  )

  fact('that are decided by now are rewritten as the mutation is accepted', async scene => {
    await acceptedKeys(scene, family.slice(0, 1))
    await run(scene, key(1), { link: 'real 1' })
    const [second, third] = await acceptedKeys(scene, family.slice(1, 3))
    expect(second?.mutation).toMatchObject({ attributes: { parent: 'real 1' } })
    expect(second && 'owners' in second.mutation).toBe(false)
    expect(third?.mutation).toMatchObject({ attributes: { root: 'real 1', parent: 't2' }, owners: ['t2'] })
  })

  fact('that keep their temporary id hold back no longer', async scene => {
    await acceptedKeys(scene, family)
    await run(scene, key(1))
    expect((await entryOf(scene, key(2))).mutation).toMatchObject({ object: 't2', attributes: { parent: 't1' } })
    await start(scene, key(2))
  })

  fact('make mutations of one real object wait for each other', async scene => {
    await acceptedKeys(scene, [create('t1', { number: 1 }), update('t1', { number: 2, owners: ['t1'] })])
    await run(scene, key(1), { link: 'real 1' })
    const theirs = remove('real 1', { number: 1, key: 'key of the second one' })
    await acceptedKeys(scene, [theirs], other)
    await start(scene, key(2))
    expect(await tryStart(scene, theirs.key)).toEqual({ refused: 'held' })
  })
}

function describeRefusals({ fact, expect }: Suite): void {
  fact('that are refused refuse their dependents, transitively, in the same step, and nothing else', async scene => {
    const grandchild = update('t3', { number: 5, owners: ['t3'] })
    await acceptedKeys(scene, [...family, grandchild, update('x', { number: 6 })])
    const settled = await run(scene, key(1), { status: 'refused' })
    expect(settled.refusedDependents).toBe(4)
    expect(await statuses(scene)).toEqual([
      [1, 1, 'refused'],
      [2, 2, 'depends_on_refused'],
      [3, 3, 'depends_on_refused'],
      [4, 5, 'depends_on_refused'],
      [5, 4, 'depends_on_refused'],
    ])
    expect((await outcomes(scene))[1]?.error?.code).toBe('depends_on_refused')
    expect(await entryOf(scene, key(6))).toMatchObject({ state: 'queued' })
    await start(scene, key(6))
  })

  fact('that are refused at the head of a long chain refuse all of it', async scene => {
    const length = 3000
    const chain = Array.from({ length }, (_, index) =>
      create(`c${index}`, { number: index + 1, ...(index > 0 && { owners: [`c${index - 1}`] }) }),
    )
    for (let first = 0; first < length; first += 500) await acceptedKeys(scene, chain.slice(first, first + 500))
    expect(await run(scene, key(1), { status: 'refused' })).toMatchObject({ refusedDependents: length - 1 })
  })

  fact('that are unknown or refused already keep a mutation from starting; the caller settles it', async scene => {
    await acceptedKeys(scene, [create('t1', { number: 1 }), update('a', { number: 2, owners: ['unknown'] })])
    expect(await tryStart(scene, key(2))).toEqual({ refused: 'owner' })
    await run(scene, key(1), { status: 'conflict' })
    await acceptedKeys(scene, [update('b', { number: 3, owners: ['t1'] })])
    expect(await tryStart(scene, key(3))).toEqual({ refused: 'owner' })
    const settled = await settle(scene, key(3), { status: 'depends_on_refused' })
    expect(settled.outcome).toMatchObject({ number: 3, status: 'depends_on_refused' })
  })

  fact('that are known only as ids of objects are unknown: nothing goes by looking at ids', async scene => {
    await scene.store.collections.apply(scene.collection, { merge: { t1: {} } })
    await acceptedKeys(scene, [update('t1', { number: 1, owners: ['t1'] })])
    expect(await tryStart(scene, key(1))).toEqual({ refused: 'owner' })
  })

  fact('that name the mutation itself do not hold it back', async scene => {
    await acceptedKeys(scene, [create('t1', { number: 1, owners: ['t1'] })])
    await run(scene, key(1), { link: 'real 1' })
    expect(await statuses(scene)).toEqual([[1, 1, 'applied']])
  })
}

function describeAcrossClients({ fact, expect }: Suite): void {
  const dependent = update('t1', { number: 1, key: 'key of the second one', owners: ['t1'] })
  const push = async (scene: Scene) => {
    await acceptedKeys(scene, [create('t1', { number: 1 })])
    await acceptedKeys(scene, [dependent], other)
  }

  fact('hold back, link and refuse across client ids', async scene => {
    await push(scene)
    expect(await tryStart(scene, dependent.key)).toEqual({ refused: 'held' })
    await run(scene, key(1), { link: 'real 1' })
    expect((await entryOf(scene, dependent.key)).mutation.object).toBe('real 1')
    await start(scene, dependent.key)
  })

  fact('refuse across client ids, each with an outcome of the client that sent it', async scene => {
    await push(scene)
    expect(await run(scene, key(1), { status: 'refused' })).toMatchObject({ refusedDependents: 1 })
    expect(await statuses(scene)).toEqual([[1, 1, 'refused']])
    expect(await statuses(scene, 'client: 2')).toEqual([[1, 1, 'depends_on_refused']])
  })

  fact('are found after their create moved to another client', async scene => {
    await acceptedKeys(scene, [create('t1', { number: 1 })])
    const moved = [create('t1', { number: 1, sent: true }), { ...dependent, number: 2 }]
    await acceptedKeys(scene, moved, other)
    await run(scene, key(1), { link: 'real 1' })
    expect((await entryOf(scene, dependent.key)).mutation.object).toBe('real 1')
    expect(await statuses(scene, 'client: 2')).toEqual([[1, 1, 'applied']])
  })
}
