import { codeOf, headOf, queryLease, type Suite } from '../suite.js'
import { describeDoubt } from './doubt.js'
import {
  acceptedKeys,
  CLIENT,
  create,
  entryOf,
  get,
  merge,
  outcomes,
  run,
  settle,
  start,
  statuses,
  trySettle,
  update,
} from './mutations.js'
import { describeSpared } from './spared-queries.js'

const KEY = 'key-of-mutation-1'

export function describeSettle(suite: Suite): void {
  suite.describe('settle', () => {
    describeOnce(suite)
    describeSpared(suite)
    describeAsked(suite)
    describeDoubt(suite)
  })
}

function describeOnce({ fact, expect }: Suite): void {
  fact('writes, decides and answers in one step', async scene => {
    await merge(scene, { a: { name: 'old', x: 1 } })
    await acceptedKeys(scene, [update('a', { number: 1, seen: 1 })])
    const settled = await run(scene, KEY, { write: { object: 'a', set: { name: 'changed', x: null } } })
    expect(settled).toMatchObject({ version: 2, spared: 0, refusedDependents: 0 })
    expect(settled.outcome).toMatchObject({ outcome: 1, number: 1, status: 'applied', version: 2 })
    expect(await get(scene, 'a')).toEqual({ a: { name: 'changed' } })
    expect(await entryOf(scene, KEY)).toMatchObject({ state: 'decided', outcome: settled.outcome })
    expect(await outcomes(scene)).toEqual([settled.outcome])
  })

  fact('keeps in the outcome what the write replaced', async scene => {
    await merge(scene, { a: { name: 'theirs', x: 1 } })
    await acceptedKeys(scene, [update('a', { number: 1, seen: 1 })])
    const overwrote = JSON.parse('{ "name": "theirs", "y": null, "__proto__": ["x"] }')
    const settled = await run(scene, KEY, { write: { object: 'a', set: { name: 'changed' } }, overwrote })
    expect(Object.entries(settled.outcome.overwrote ?? {})).toEqual(Object.entries(overwrote))
    expect(await outcomes(scene)).toEqual([settled.outcome])
    expect((await entryOf(scene, KEY)).outcome).toEqual(settled.outcome)
  })

  fact('keeps in the outcome where the object moved, and removes it even if it changed meanwhile', async scene => {
    await merge(scene, { a: { project: '7', name: 'old' } })
    await acceptedKeys(scene, [update('a', { number: 1, seen: 1 })])
    const { fence } = await start(scene, KEY)
    await merge(scene, { a: { name: 'changed meanwhile' } })
    const moved = { parameters: { project: '8' }, attributes: { project: '8', name: 'old' } }
    const settled = await settle(scene, KEY, { fence, write: { object: 'a', remove: true }, moved })
    const { parameters, attributes } = moved
    expect(settled.outcome).toMatchObject({ status: 'applied', removed: true, moved: parameters, attributes })
    expect(settled.spared).toBe(1)
    expect(await get(scene, 'a')).toEqual({})
    expect((await headOf(scene)).queriesRequested).toBe(1)
    expect(await outcomes(scene)).toEqual([settled.outcome])
    await scene.store.journal.acknowledge(scene.collection, CLIENT, 1)
    const { outcome } = settled.outcome
    expect((await entryOf(scene, KEY)).outcome).toEqual({
      ...{ outcome, number: 1, status: 'applied', version: 3, removed: true },
    })
  })

  fact('tells whether undecided mutations of the collection are left', async scene => {
    await acceptedKeys(scene, [update('a', { number: 1 }), update('b', { number: 2 })])
    await acceptedKeys(scene, [update('c', { number: 1, key: 'key of another client' })], { client: 'client: 2' })
    expect(await run(scene, KEY)).toMatchObject({ left: true })
    expect(await run(scene, 'key of another client')).toMatchObject({ left: true })
    expect(await run(scene, 'key-of-mutation-2')).toMatchObject({ left: false })
    await acceptedKeys(scene, [create('t', { number: 3 }), update('o', { number: 4, owners: ['t'] })])
    expect(await run(scene, 'key-of-mutation-3', { status: 'refused' })).toMatchObject({ left: false })
  })

  fact('is done once: a decided mutation stays decided', async scene => {
    await acceptedKeys(scene, [update('a', { number: 1 })])
    const { fence } = await start(scene, KEY)
    await settle(scene, KEY, { fence, status: 'refused' })
    for (const again of [{ fence }, {}])
      expect(await trySettle(scene, KEY, { ...again, write: { object: 'a', set: { x: 1 } } })).toEqual({
        refused: 'state',
      })
    expect(await statuses(scene)).toEqual([[1, 1, 'refused']])
    expect(await get(scene, 'a')).toEqual({})
  })

  fact('needs the fence of the last start', async scene => {
    await acceptedKeys(scene, [update('a', { number: 1 }), update('b', { number: 2 })])
    const first = await start(scene, KEY)
    await scene.store.journal.release(scene.collection, KEY, { fence: first.fence, to: 'queued' })
    const second = await start(scene, KEY)
    expect(await trySettle(scene, KEY, { fence: first.fence })).toEqual({ refused: 'state' })
    expect(await trySettle(scene, KEY, {})).toEqual({ refused: 'state' })
    expect(await trySettle(scene, 'key-of-mutation-2', { fence: 0 })).toEqual({ refused: 'state' })
    expect(await trySettle(scene, 'a key that is not known', {})).toEqual({ refused: 'state' })
    await settle(scene, KEY, { fence: second.fence })
  })

  fact('needs no fence for what no backend is called for', async scene => {
    await acceptedKeys(scene, [update('a', { number: 1 })])
    const error = { code: 'operation_not_supported', message: 'devices may not write here' }
    expect((await settle(scene, KEY, { status: 'refused', error })).outcome).toMatchObject({ status: 'refused', error })
  })

  fact('is refused in another epoch', async scene => {
    await acceptedKeys(scene, [update('a', { number: 1 })])
    const { fence } = await start(scene, KEY)
    expect(await trySettle(scene, KEY, { fence, epoch: 'other' })).toEqual({ refused: 'epoch' })
    const { epoch } = await headOf(scene)
    await scene.store.collections.drop(scene.collection)
    const late = scene.store.journal.settle(scene.collection, KEY, { epoch, fence, status: 'applied' })
    expect(await late).toEqual({ refused: 'epoch' })
    expect(await scene.store.collections.head(scene.collection)).toBe(undefined)
  })

  fact('refuses ids that no object can have, and decides nothing', async scene => {
    await acceptedKeys(scene, [create('t', { number: 1 })])
    const { fence } = await start(scene, KEY)
    expect(await codeOf(trySettle(scene, KEY, { fence, link: 'a'.repeat(1025) }))).toBe('body_invalid')
    expect(await codeOf(trySettle(scene, KEY, { fence, write: { object: '', set: {} } }))).toBe('body_invalid')
    expect(await entryOf(scene, KEY)).toMatchObject({ state: 'started' })
  })

  fact('makes no version where the write says what is there', async scene => {
    await merge(scene, { a: { x: 1 } })
    await acceptedKeys(scene, [update('a', { number: 1 }), update('a', { number: 2 })])
    expect(await run(scene, KEY, { write: { object: 'a', set: { x: 1 } } })).toMatchObject({ version: 1 })
    await queryLease(scene)
    const write = { object: 'a', set: { x: 1 } }
    expect(await run(scene, 'key-of-mutation-2', { write })).toMatchObject({ version: 2 })
  })
}

function describeAsked({ fact, expect }: Suite): void {
  fact('asks for a query in the same step when it is told to, and only then', async scene => {
    await acceptedKeys(scene, [update('a', { number: 1 }), update('b', { number: 2 })])
    await run(scene, KEY)
    expect(await headOf(scene)).toMatchObject({ queriesRequested: 0 })
    await run(scene, 'key-of-mutation-2', { ask: true, status: 'conflict' })
    expect(await headOf(scene)).toMatchObject({ queriesRequested: 1 })
  })
}
