import { emptyRecord } from '@godwit/protocol'
import type { Batch } from '../../collections.js'
import { headOf, type Scene, type Suite } from '../suite.js'
import { acceptedKeys, create, get, merge, remove, run, settle, start, update } from './mutations.js'

const KEY = 'key-of-mutation-1'

export function describeSpared({ fact, expect }: Suite): void {
  const started = async (scene: Scene, operation: typeof update | typeof remove | typeof create, object = 'a') => {
    await acceptedKeys(scene, [operation(object, { number: 1 })])
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
      expect(await headOf(scene)).toMatchObject({ queriesRequested: 1 })
    },
  )

  /** Whether the settlement of an update of x from 1 to 2 asks for a query after what the backend said during the call. */
  const asksAfter = async (scene: Scene, meanwhile: () => Promise<unknown>): Promise<boolean> => {
    await merge(scene, { a: { x: 1, y: 1 }, b: { x: 1 } })
    const fence = await started(scene, update)
    await meanwhile()
    const { queriesRequested } = await headOf(scene)
    const settled = await settle(scene, KEY, { fence, write: { object: 'a', set: { x: 2 } } })
    expect([settled.spared, (await get(scene, 'a'))['a']?.['x']]).toEqual([0, 2])
    return (await headOf(scene)).queriesRequested > queriesRequested
  }
  const says = (scene: Scene, batch: Batch) => () => scene.store.collections.apply(scene.collection, batch)

  fact('asks for a query when the backend said during the call that the object is what it was', async scene => {
    expect(await asksAfter(scene, says(scene, { replace: { a: { x: 1, y: 1 } } }))).toBe(true)
  })

  fact('asks for one when the backend said something else of the object during the call', async scene => {
    expect(await asksAfter(scene, says(scene, { merge: { a: { y: 2 } } }))).toBe(true)
  })

  fact('asks for none when the backend said what the call did, or nothing of its object', async scene => {
    expect(await asksAfter(scene, says(scene, { merge: { a: { x: 2 }, b: { x: 2 } } }))).toBe(false)
  })

  fact('counts what a backend says as heard only while it is called', async scene => {
    const { collections } = scene.store
    await merge(scene, { a: { x: 1 }, b: { x: 1 } })
    const fence = await started(scene, update)
    expect(await collections.apply(scene.collection, { merge: { b: { x: 1 } } })).toMatchObject({ changed: 0 })
    expect(await collections.apply(scene.collection, { merge: { a: { x: 1 } } })).toMatchObject({ changed: 1 })
    await settle(scene, KEY, { fence, write: { object: 'a', set: { x: 1 } } })
    expect(await collections.apply(scene.collection, { merge: { a: { x: 1 } } })).toMatchObject({ changed: 0 })
    expect(await headOf(scene)).toMatchObject({ queriesRequested: 0, version: 2 })
  })

  fact('does not bring back what was removed since the start', async scene => {
    await merge(scene, { a: { x: 1 } })
    const fence = await started(scene, update)
    await scene.store.collections.apply(scene.collection, { remove: ['a'] })
    const settled = await settle(scene, KEY, { fence, write: { object: 'a', set: { x: 2 } } })
    expect(settled).toMatchObject({ spared: 1, version: 2, outcome: { status: 'applied', version: 2, removed: true } })
    expect(await get(scene, 'a')).toEqual({})
    expect(await headOf(scene)).toMatchObject({ queriesRequested: 1 })
  })

  fact('says so, too, where nothing is known any more of what was removed', async scene => {
    const { collections } = scene.store
    await merge(scene, { a: { x: 1 } })
    const fence = await started(scene, update)
    await collections.apply(scene.collection, { remove: ['a'] })
    await collections.compact(scene.collection, { below: 2, limit: 9 })
    expect(await collections.look(scene.collection, 'a')).toEqual({ state: 'never' })
    const settled = await settle(scene, KEY, { fence, write: { object: 'a', set: { x: 2 } } })
    expect(settled).toMatchObject({ outcome: { status: 'applied', version: 2, removed: true } })
    expect(await get(scene, 'a')).toEqual({})
  })

  fact('brings back what was removed before the start', async scene => {
    await scene.store.collections.apply(scene.collection, { remove: ['a'] })
    const fence = await started(scene, update)
    const settled = await settle(scene, KEY, { fence, write: { object: 'a', set: { x: 2 } } })
    expect([settled.spared, 'removed' in settled.outcome]).toEqual([0, false])
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
    await acceptedKeys(scene, [remove('a', { number: 2 })])
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
