import { beginQuery } from './query.js'
import { codeOf, headOf, type Scene, type Suite } from './suite.js'

export function describeRefused({ fact, expect }: Suite): void {
  fact('is refused after the collection was dropped, or dropped and made again', async scene => {
    const query = await beginQuery(scene)
    await scene.store.collections.drop(scene.collection)
    expect(await query.end({ a: {} })).toEqual({ refused: 'epoch' })
    expect(await scene.store.collections.head(scene.collection)).toBe(undefined)
    const second = await beginQuery(scene)
    expect(await second.end(() => recreate(scene), { a: {} })).toEqual({ refused: 'epoch' })
    expect(await headOf(scene)).toMatchObject({ version: 0, count: 0 })
  })

  fact('is refused when its lease ran out, went to another holder or was granted again', async scene => {
    const { leases } = scene.store
    const late = await beginQuery(scene)
    scene.clock.now += 60_000
    expect(await late.end({ a: {} })).toEqual({ refused: 'fence' })
    const outrun = await beginQuery(scene)
    const again = () =>
      leases.acquire({ kind: 'query', collection: scene.collection }, { holder: 'one', milliseconds: 1 })
    expect(await outrun.end({ a: {} }, again)).toEqual({ refused: 'fence' })
    const released = await beginQuery(scene, { fence: 0 })
    expect(await released.end({ a: {} })).toEqual({ refused: 'fence' })
    expect(await headOf(scene)).toMatchObject({ version: 0, count: 0 })
  })

  fact('is refused when tombstones that it must not overwrite may be gone', async scene => {
    const { collections } = scene.store
    await collections.apply(scene.collection, { merge: { a: {} } })
    await collections.apply(scene.collection, { remove: ['a'] })
    await collections.compact(scene.collection, { below: 2, limit: 9 })
    const below = await beginQuery(scene, { since: 1 })
    expect(await below.end({ a: {} })).toEqual({ refused: 'floor' })
    const at = await beginQuery(scene, { since: 2 })
    expect(await at.end({ a: {} })).toMatchObject({ count: 1 })
  })
}

async function recreate({ store, collection }: Scene): Promise<void> {
  await store.collections.drop(collection)
  await store.collections.open(collection)
}

export function describeFailed({ fact, expect }: Suite): void {
  fact('rejects with the error of its stream, and changes nothing', async scene => {
    await scene.store.collections.apply(scene.collection, { merge: { a: { x: 1 } } })
    const before = await headOf(scene)
    const failure = new Error('the backend went away')
    const query = await beginQuery(scene)
    const caught = await query.end({ b: {} }, () => Promise.reject(failure)).catch((error: unknown) => error)
    expect(caught).toBe(failure)
    expect(await headOf(scene)).toEqual(before)
  })

  fact('rejects ids that no object can have, and changes nothing', async scene => {
    const query = await beginQuery(scene)
    expect(await codeOf(query.end({ ok: {} }, { ['a'.repeat(1025)]: {} }))).toBe('body_invalid')
    expect(await headOf(scene)).toMatchObject({ version: 0, count: 0 })
  })
}
