import { emptyRecord } from '@godwit/protocol'
import { codeOf, headOf, queryLease, type Scene, type Suite } from '../suite.js'
import {
  create,
  entryOf,
  outcomes,
  pushed,
  remove,
  run,
  settle,
  start,
  statuses,
  trySettle,
  tryStart,
  update,
} from './mutations.js'

const KEY = 'key-of-mutation-1'

export function describeSettle(suite: Suite): void {
  suite.describe('settle', () => {
    describeOnce(suite)
    describeSpared(suite)
    describeAsked(suite)
    describeDoubt(suite)
  })
}

const merge = ({ store, collection }: Scene, objects: Record<string, Record<string, string | number | null>>) =>
  store.collections.apply(collection, { merge: objects })

const get = ({ store, collection }: Scene, ...ids: string[]) => store.collections.get(collection, ids)

function describeOnce({ fact, expect }: Suite): void {
  fact('writes, decides and answers in one step', async scene => {
    await merge(scene, { a: { name: 'old', x: 1 } })
    await pushed(scene, [update('a', { number: 1, seen: 1 })])
    const settled = await run(scene, KEY, { write: { object: 'a', set: { name: 'changed', x: null } } })
    expect(settled).toMatchObject({ version: 2, spared: 0, refusedDependents: 0 })
    expect(settled.outcome).toMatchObject({ outcome: 1, number: 1, status: 'applied', version: 2 })
    expect(await get(scene, 'a')).toEqual({ a: { name: 'changed' } })
    expect(await entryOf(scene, KEY)).toMatchObject({ state: 'decided', outcome: settled.outcome })
    expect(await outcomes(scene)).toEqual([settled.outcome])
  })

  fact('is done once: a decided mutation stays decided', async scene => {
    await pushed(scene, [update('a', { number: 1 })])
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
    await pushed(scene, [update('a', { number: 1 }), update('b', { number: 2 })])
    const first = await start(scene, KEY)
    await scene.store.journal.release(scene.collection, KEY, { fence: first.fence, to: 'queued' })
    const second = await start(scene, KEY)
    expect(await trySettle(scene, KEY, { fence: first.fence })).toEqual({ refused: 'state' })
    expect(await trySettle(scene, KEY, {})).toEqual({ refused: 'state' })
    expect(await trySettle(scene, 'key-of-mutation-2', { fence: 0 })).toEqual({ refused: 'state' })
    expect(await trySettle(scene, 'a key that is not known', {})).toEqual({ refused: 'state' })
    await settle(scene, KEY, { fence: second.fence })
  })

  fact('needs no fence for what nobody is called for', async scene => {
    await pushed(scene, [update('a', { number: 1 })])
    const error = { code: 'operation_not_supported', message: 'devices may not write here' }
    expect((await settle(scene, KEY, { status: 'refused', error })).outcome).toMatchObject({ status: 'refused', error })
  })

  fact('is refused in another epoch', async scene => {
    await pushed(scene, [update('a', { number: 1 })])
    const { fence } = await start(scene, KEY)
    expect(await trySettle(scene, KEY, { fence, epoch: 'other' })).toEqual({ refused: 'epoch' })
    const { epoch } = await headOf(scene)
    await scene.store.collections.drop(scene.collection)
    const late = scene.store.journal.settle(scene.collection, KEY, { epoch, fence, status: 'applied' })
    expect(await late).toEqual({ refused: 'epoch' })
    expect(await scene.store.collections.head(scene.collection)).toBe(undefined)
  })

  fact('refuses ids that no object can have, and decides nothing', async scene => {
    await pushed(scene, [create('t', { number: 1 })])
    const { fence } = await start(scene, KEY)
    expect(await codeOf(trySettle(scene, KEY, { fence, link: 'a'.repeat(1025) }))).toBe('body_invalid')
    expect(await codeOf(trySettle(scene, KEY, { fence, write: { object: '', set: {} } }))).toBe('body_invalid')
    expect(await entryOf(scene, KEY)).toMatchObject({ state: 'started' })
  })

  fact('makes no version where the write says what is there', async scene => {
    await merge(scene, { a: { x: 1 } })
    await pushed(scene, [update('a', { number: 1 }), update('a', { number: 2 })])
    expect(await run(scene, KEY, { write: { object: 'a', set: { x: 1 } } })).toMatchObject({ version: 1 })
    await queryLease(scene)
    const write = { object: 'a', set: { x: 1 } }
    expect(await run(scene, 'key-of-mutation-2', { write })).toMatchObject({ version: 2 })
  })
}

function describeSpared({ fact, expect }: Suite): void {
  const started = async (scene: Scene, operation: typeof update | typeof remove | typeof create, object = 'a') => {
    await pushed(scene, [operation(object, { number: 1 })])
    return (await start(scene, KEY)).fence
  }

  fact(
    'writes an attribute only where its present value is the one of the start, and asks for a query otherwise',
    async scene => {
      const proto = (value: number) => Object.assign(emptyRecord<number>(), Object.fromEntries([['__proto__', value]]))
      await merge(scene, { a: { kept: 1, theirs: 1, same: 1, gone: 1, ...proto(1) } })
      const fence = await started(scene, update)
      await scene.store.collections.apply(scene.collection, {
        merge: { a: Object.assign(proto(8), { theirs: 8, same: 9, made: 8, gone: null }) },
      })
      const set = Object.assign(proto(9), { kept: 9, theirs: 9, same: 9, made: 9, gone: 9, fresh: 9 })
      expect(await settle(scene, KEY, { fence, write: { object: 'a', set } })).toMatchObject({ spared: 4 })
      expect(Object.entries((await get(scene, 'a'))['a'] ?? {}).sort()).toEqual(
        Object.entries(Object.assign(proto(8), { kept: 9, theirs: 8, same: 9, made: 8, fresh: 9 })).sort(),
      )
      expect(await headOf(scene)).toMatchObject({ asked: 1 })
    },
  )

  fact('does not bring back what was removed since the start', async scene => {
    await merge(scene, { a: { x: 1 } })
    const fence = await started(scene, update)
    await scene.store.collections.apply(scene.collection, { remove: ['a'] })
    const settled = await settle(scene, KEY, { fence, write: { object: 'a', set: { x: 2 } } })
    expect(settled).toMatchObject({ spared: 1, version: 2 })
    expect(await get(scene, 'a')).toEqual({})
    expect(await headOf(scene)).toMatchObject({ asked: 1 })
  })

  fact('brings back what was removed before the start', async scene => {
    await scene.store.collections.apply(scene.collection, { remove: ['a'] })
    const fence = await started(scene, update)
    expect(await settle(scene, KEY, { fence, write: { object: 'a', set: { x: 2 } } })).toMatchObject({ spared: 0 })
    expect(await get(scene, 'a')).toEqual({ a: { x: 2 } })
  })

  fact('does not bring back what was removed again since the start', async scene => {
    const { collections } = scene.store
    await collections.apply(scene.collection, { remove: ['a'] })
    const fence = await started(scene, update)
    await merge(scene, { a: { x: 1 } })
    await collections.apply(scene.collection, { remove: ['a'] })
    expect(await settle(scene, KEY, { fence, write: { object: 'a', set: { x: 2 } } })).toMatchObject({ spared: 1 })
    expect(await collections.look(scene.collection, 'a')).toEqual({ state: 'gone', version: 3 })
  })

  fact('removes only what is unchanged since the start', async scene => {
    await merge(scene, { a: { x: 1 } })
    const fence = await started(scene, remove)
    await merge(scene, { a: { x: 2 } })
    const write = { object: 'a', remove: true } as const
    expect(await settle(scene, KEY, { fence, write })).toMatchObject({ spared: 1, version: 2 })
    expect(await get(scene, 'a')).toEqual({ a: { x: 2 } })
    await pushed(scene, [remove('a', { number: 2 })])
    const again = await run(scene, 'key-of-mutation-2', { write })
    expect(again).toMatchObject({ spared: 0, version: 3, outcome: { version: 3 } })
    expect('attributes' in again.outcome).toBe(false)
  })

  fact('leaves a tombstone of a removed object that was never known', async scene => {
    const fence = await started(scene, remove)
    await settle(scene, KEY, { fence, write: { object: 'a', remove: true } })
    expect(await scene.store.collections.look(scene.collection, 'a')).toEqual({ state: 'gone', version: 1 })
  })

  fact('lets what came during the call win over a create under its real id', async scene => {
    const fence = await started(scene, create, 'temporary')
    await merge(scene, { real: { name: 'from a push', x: 1 } })
    const write = { object: 'real', set: { name: 'from the call', y: 2 } }
    const settled = await settle(scene, KEY, { fence, link: 'real', write })
    expect(settled).toMatchObject({ spared: 1, outcome: { link: 'real', version: 2 } })
    expect(await get(scene, 'real', 'temporary')).toEqual({ real: { name: 'from a push', x: 1, y: 2 } })
  })

  fact('lets a create that found an object write over what was there before the call', async scene => {
    await merge(scene, { real: { name: 'old', x: 1 } })
    const fence = await started(scene, create, 'temporary')
    const write = { object: 'real', set: { name: 'from the call' } }
    expect(await settle(scene, KEY, { fence, link: 'real', write })).toMatchObject({ spared: 0 })
    expect(await get(scene, 'real')).toEqual({ real: { name: 'from the call', x: 1 } })
  })
}

function describeAsked({ fact, expect }: Suite): void {
  fact('asks for a query in the same step when it is told to, and only then', async scene => {
    await pushed(scene, [update('a', { number: 1 }), update('b', { number: 2 })])
    await run(scene, KEY)
    expect(await headOf(scene)).toMatchObject({ asked: 0 })
    await run(scene, 'key-of-mutation-2', { ask: true, status: 'conflict' })
    expect(await headOf(scene)).toMatchObject({ asked: 1 })
  })
}

function describeDoubt({ fact, expect }: Suite): void {
  const inDoubt = async (scene: Scene) => {
    await pushed(scene, [update('a', { number: 1 })])
    const { fence } = await start(scene, KEY)
    const error = { code: 'backend_timeout', message: 'no answer' }
    const released = await scene.store.journal.release(scene.collection, KEY, { fence, to: 'in_doubt', error })
    expect(released).toBe('released')
    return { fence, error }
  }

  fact('after a release to in_doubt there is that outcome, and a query is asked for', async scene => {
    const { error } = await inDoubt(scene)
    expect(await outcomes(scene)).toEqual([{ outcome: 1, number: 1, status: 'in_doubt', version: 0, error }])
    expect(await headOf(scene)).toMatchObject({ asked: 1 })
    expect((await scene.store.journal.undecided({ state: 'in_doubt', limit: 9 })).length).toBe(1)
    expect(await tryStart(scene, KEY)).toEqual({ refused: 'state' })
  })

  fact('a late true result settles what is in doubt, and takes the place of that outcome', async scene => {
    const { fence } = await inDoubt(scene)
    expect(await trySettle(scene, KEY, { fence: fence + 1 })).toEqual({ refused: 'state' })
    await settle(scene, KEY, { fence, write: { object: 'a', set: { x: 1 } } })
    expect(await statuses(scene)).toEqual([[2, 1, 'applied']])
    expect(await get(scene, 'a')).toEqual({ a: { x: 1 } })
  })

  fact('a late true result settles what was put back in line, until it is started again', async scene => {
    const { fence } = await inDoubt(scene)
    await scene.store.journal.retry(scene.collection, KEY)
    const { fence: second } = await start(scene, KEY)
    expect(await trySettle(scene, KEY, { fence })).toEqual({ refused: 'state' })
    await scene.store.journal.release(scene.collection, KEY, { fence: second, to: 'queued' })
    await settle(scene, KEY, { fence: second })
    expect(await tryStart(scene, KEY)).toEqual({ refused: 'state' })
  })

  fact('an operator puts it back in line or discards it', async scene => {
    const { journal } = scene.store
    await inDoubt(scene)
    expect(await journal.retry(scene.collection, KEY)).toBe('released')
    expect(await outcomes(scene)).toEqual([])
    expect(await journal.retry(scene.collection, KEY)).toEqual({ refused: 'state' })
    const { fence } = await start(scene, KEY)
    await journal.release(scene.collection, KEY, { fence, to: 'in_doubt' })
    await settle(scene, KEY, { status: 'refused', ask: true })
    expect(await statuses(scene)).toEqual([[3, 1, 'refused']])
    expect(await journal.undecided({ state: 'in_doubt', limit: 9 })).toEqual([])
  })

  fact('an operator does not wait for the time that a release named', async scene => {
    await pushed(scene, [update('a', { number: 1 })])
    const { fence } = await start(scene, KEY)
    const retryAt = scene.clock.now + 5000
    await scene.store.journal.release(scene.collection, KEY, { fence, to: 'in_doubt', retryAt })
    await scene.store.journal.retry(scene.collection, KEY)
    expect((await scene.store.journal.queued(scene.collection, { limit: 9 })).length).toBe(1)
    await start(scene, KEY)
  })

  fact('a release is refused without the fence of a running start', async scene => {
    const { journal } = scene.store
    const { fence } = await inDoubt(scene)
    for (const to of ['queued', 'in_doubt'] as const)
      expect(await journal.release(scene.collection, KEY, { fence, to })).toEqual({ refused: 'state' })
    await journal.retry(scene.collection, KEY)
    const second = await start(scene, KEY)
    expect(await journal.release(scene.collection, KEY, { fence, to: 'queued' })).toEqual({ refused: 'state' })
    await settle(scene, KEY, { fence: second.fence })
    expect(await journal.release(scene.collection, KEY, { fence: second.fence, to: 'queued' })).toEqual({
      refused: 'state',
    })
  })
}
