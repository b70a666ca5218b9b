import type { Suite } from '../suite.js'
import { describeAcknowledged, describeContentless, describeDropClient } from './forgotten.js'
import { acceptedKeys, CLIENT, create, outcomes, remove, run, statuses, update } from './mutations.js'

const key = (number: number) => `key-of-mutation-${number}`

export function describeOutcomes(suite: Suite): void {
  suite.describe('outcomes', () => {
    describeNumbers(suite)
    describeContent(suite)
    describeAcknowledged(suite)
    describeContentless(suite)
    describeDropClient(suite)
  })
}

function describeNumbers({ fact, expect }: Suite): void {
  fact('are numbered per client in order of decision, and read after a number', async scene => {
    await acceptedKeys(
      scene,
      ['a', 'b', 'c'].map((id, index) => update(id, { number: index + 1 })),
    )
    for (const number of [2, 3, 1]) await run(scene, key(number))
    expect(await statuses(scene)).toEqual([
      [1, 2, 'applied'],
      [2, 3, 'applied'],
      [3, 1, 'applied'],
    ])
    const page = await scene.store.journal.outcomes(scene.collection, CLIENT, { after: 1, limit: 1 })
    expect(page.last).toBe(3)
    expect(page.outcomes.map(({ number }) => number)).toEqual([3])
    expect(await outcomes(scene, 'client: 2')).toEqual([])
  })

  fact('tell the last number, acknowledged or not, to whom asks after a later one', async scene => {
    const lastOf = async (client: string) =>
      (await scene.store.journal.outcomes(scene.collection, client, { after: 7, limit: 9 })).last
    await acceptedKeys(scene, [update('a', { number: 1 })])
    expect(await lastOf(CLIENT)).toBe(0)
    await run(scene, key(1))
    await scene.store.journal.acknowledge(scene.collection, CLIENT, 1)
    expect([await lastOf(CLIENT), await lastOf('client: 2')]).toEqual([1, 0])
  })

  fact('bear the version of the object after them; where nothing was written, the head', async scene => {
    await scene.store.collections.apply(scene.collection, { merge: { x: {} } })
    await acceptedKeys(scene, [update('a', { number: 1 }), update('b', { number: 2 })])
    await run(scene, key(1), { status: 'refused' })
    await run(scene, key(2), { write: { object: 'b', set: { x: 1 } } })
    expect((await outcomes(scene)).map(({ version }) => version)).toEqual([1, 2])
  })
}

function describeContent({ fact, expect }: Suite): void {
  fact('bring the object, unless the device saw the version just before and has exactly that', async scene => {
    const { collections } = scene.store
    await collections.apply(scene.collection, { merge: { a: { x: 1, y: 1 } } })
    const cases = [
      { mutation: update('a', { number: 1, seen: 1, attributes: { x: 2 } }), set: { x: 2 }, attributes: undefined },
      {
        mutation: update('a', { number: 2, seen: 1, attributes: { x: 3 } }),
        set: { x: 3 },
        attributes: { x: 3, y: 1 },
      },
      {
        mutation: update('a', { number: 3, seen: 3, attributes: { x: 4 } }),
        set: { x: 5 },
        attributes: { x: 5, y: 1 },
      },
      { mutation: update('a', { number: 4, attributes: { x: 6 } }), set: { x: 6 }, attributes: { x: 6, y: 1 } },
      {
        mutation: update('a', { number: 5, seen: 5, attributes: { y: null } }),
        set: { y: null },
        attributes: undefined,
      },
    ]
    for (const { mutation, set, attributes } of cases) {
      await acceptedKeys(scene, [mutation])
      const { outcome } = await run(scene, mutation.key, { write: { object: 'a', set } })
      expect(outcome.attributes).toEqual(attributes)
    }
  })

  fact('of what was not applied bring the object as it stands, and none of a removed one', async scene => {
    await scene.store.collections.apply(scene.collection, { merge: { a: { x: 1 } } })
    const gone = update('gone', { number: 2 })
    await acceptedKeys(scene, [
      update('a', { number: 1, seen: 1, attributes: { x: 2 } }),
      gone,
      remove('a', { number: 3, seen: 1 }),
    ])
    expect((await run(scene, key(1), { status: 'conflict' })).outcome.attributes).toEqual({ x: 1 })
    expect('attributes' in (await run(scene, key(2), { status: 'gone' })).outcome).toBe(false)
    expect((await run(scene, key(3), { status: 'refused' })).outcome.attributes).toEqual({ x: 1 })
  })

  fact('of a create bring what is stored, under its real id', async scene => {
    await acceptedKeys(scene, [create('t1', { number: 1 }), create('t2', { number: 2 })])
    const write = { object: 'real 1', set: { name: 'T1', made: true } }
    const { outcome } = await run(scene, key(1), { link: 'real 1', write })
    expect(outcome).toEqual({
      outcome: 1,
      number: 1,
      status: 'applied',
      link: 'real 1',
      object: 't1',
      version: 1,
      attributes: write.set,
    })
    const same = await run(scene, key(2), { link: 't2', write: { object: 't2', set: { x: 1 } } })
    expect('link' in same.outcome).toBe(false)
  })

  fact('keep the object as it stood, whatever comes later', async scene => {
    await acceptedKeys(scene, [create('a', { number: 1 })])
    await run(scene, key(1), { write: { object: 'a', set: { x: 1 } } })
    await scene.store.collections.apply(scene.collection, { merge: { a: { x: 2 } } })
    expect((await outcomes(scene))[0]).toMatchObject({ version: 1, attributes: { x: 1 } })
  })
}
