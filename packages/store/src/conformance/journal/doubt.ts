import { headOf, type Scene, type Suite } from '../suite.js'
import { acceptedKeys, get, outcomes, settle, start, statuses, trySettle, tryStart, update } from './mutations.js'

const KEY = 'key-of-mutation-1'

export function describeDoubt({ fact, expect }: Suite): void {
  const inDoubt = async (scene: Scene) => {
    await acceptedKeys(scene, [update('a', { number: 1 })])
    const { fence } = await start(scene, KEY)
    const error = { code: 'backend_timeout', message: 'no answer' }
    const released = await scene.store.journal.release(scene.collection, KEY, { fence, to: 'in_doubt', error })
    expect(released).toEqual({ released: 'in_doubt', queryRequest: (await headOf(scene)).queriesRequested })
    return { fence, error }
  }

  fact('after a release to in_doubt there is that outcome, and a query is asked for', async scene => {
    const { error } = await inDoubt(scene)
    expect(await outcomes(scene)).toEqual([{ outcome: 1, number: 1, status: 'in_doubt', version: 0, error }])
    expect(await headOf(scene)).toMatchObject({ queriesRequested: 1 })
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
    await acceptedKeys(scene, [update('a', { number: 1 })])
    const { fence } = await start(scene, KEY)
    await scene.store.journal.release(scene.collection, KEY, { fence, to: 'in_doubt', retryIn: 5000 })
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
