import type { ObjectMap } from '@godwit/protocol'
import type { ReplaceOptions } from '../collections.js'
import { canonical, codeOf, headOf, queryLease, type Scene, type Suite, sure } from './suite.js'

/** The parts of a query's answer, one after the other; a function is called in between. */
export async function* stream(...parts: readonly (ObjectMap | (() => Promise<unknown>))[]): AsyncGenerator<ObjectMap> {
  for (const part of parts)
    if (typeof part === 'function') await part()
    else yield part
}

export interface Running {
  readonly options: ReplaceOptions
  readonly end: (
    ...parts: readonly (ObjectMap | (() => Promise<unknown>))[]
  ) => ReturnType<Scene['store']['collections']['replace']>
}

/** Begins a query as the server does: lease, then the head; `end` hands its answer over. */
export async function beginQuery(scene: Scene, more: Partial<ReplaceOptions> = {}): Promise<Running> {
  const lease = await queryLease(scene)
  const { epoch, version, asked } = await scene.store.collections.open(scene.collection)
  const options = { epoch, fence: lease.fence, since: version, asked, maxRemovedShare: 0.5, ...more }
  const end: Running['end'] = async (...parts) => {
    const result = await scene.store.collections.replace(scene.collection, stream(...parts), options)
    await scene.store.leases.release(lease)
    return result
  }
  return { options, end }
}

const many = (from: number, to: number, attributes = {}): ObjectMap =>
  Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`id ${from + index}`, attributes]))

export function describeReplace(suite: Suite): void {
  suite.describe('replace', () => {
    describeResult(suite)
    describeSpared(suite)
    describeRefused(suite)
    describeFailed(suite)
    describeDue(suite)
  })
}

function describeResult({ fact, expect }: Suite): void {
  fact('makes the collection what the query answered, whole objects, in parts of which later ones win', async scene => {
    const { collections } = scene.store
    await collections.apply(scene.collection, { merge: { kept: { x: 1 }, changed: { x: 1, y: 1 }, gone: { x: 1 } } })
    const query = await beginQuery(scene)
    const result = await query.end({ kept: { x: 1 }, made: { x: 1 } }, { changed: { y: 2 }, made: { x: 2, n: null } })
    expect(result).toEqual({ version: (await headOf(scene)).version, count: 3, changed: 2, removed: 1, spared: 0 })
    expect(await collections.get(scene.collection, ['kept', 'changed', 'gone', 'made'])).toEqual({
      kept: { x: 1 },
      changed: { y: 2 },
      made: { x: 2 },
    })
    expect(await collections.look(scene.collection, 'kept')).toMatchObject({ version: 1 })
    expect(await collections.look(scene.collection, 'gone')).toMatchObject({ state: 'gone' })
  })

  fact('costs no write where nothing changed, and still counts as a success', async scene => {
    await scene.store.collections.apply(scene.collection, { merge: { a: { x: 1, y: 2 } } })
    const query = await beginQuery(scene)
    expect(await query.end({ a: { y: 2, x: 1 } })).toMatchObject({ version: 1, changed: 0, removed: 0 })
    expect(await headOf(scene)).toMatchObject({ version: 1, queriedAt: scene.clock.now })
  })

  fact('writes batches of at most 1,000 objects, changes first, removals last', async scene => {
    const { collections } = scene.store
    await (await beginQuery(scene)).end(many(0, 1500), many(1500, 2500))
    expect((await headOf(scene)).version).toBe(3)
    const second = await beginQuery(scene)
    expect(await second.end(many(1000, 2600, { x: 1 }))).toMatchObject({ changed: 1600, removed: 1000, count: 1600 })
    const rows = sure(await collections.changes(scene.collection, { limit: 9999, from: undefined })).rows
    expect(rows.length).toBe(1600)
    expect(await collections.look(scene.collection, 'id 1000')).toMatchObject({ version: 4 })
    expect(await collections.look(scene.collection, 'id 0')).toMatchObject({ state: 'gone', version: 6 })
  })

  fact('takes hostile ids and lone surrogates as apply does', async scene => {
    const query = await beginQuery(scene)
    await query.end(
      Object.fromEntries([
        ['__proto__', { constructor: 1 }],
        ['\ud800', {}],
        ['\ufffd', { x: 1 }],
      ]),
    )
    const objects = await scene.store.collections.get(scene.collection, ['__proto__', '\ufffd'])
    expect(canonical(objects)).toBe('{"__proto__":{"constructor":1},"\ufffd":{"x":1}}')
  })
}

function describeSpared({ fact, expect }: Suite): void {
  fact('neither overwrites nor removes what changed after it began, and is due again', async scene => {
    const { collections } = scene.store
    await collections.apply(scene.collection, { merge: { changed: { x: 1 }, removed: { x: 1 }, old: { x: 1 } } })
    const query = await beginQuery(scene)
    await collections.apply(scene.collection, { merge: { changed: { x: 9 }, made: { x: 9 } }, remove: ['removed'] })
    const answer = { changed: { x: 2 }, removed: { x: 2 }, old: { x: 2 } }
    expect(await query.end(answer)).toMatchObject({ changed: 1, removed: 0, spared: 3 })
    expect(await collections.get(scene.collection, ['changed', 'removed', 'old', 'made'])).toEqual({
      changed: { x: 9 },
      old: { x: 2 },
      made: { x: 9 },
    })
    const head = await headOf(scene)
    expect(head.asked).toBeGreaterThan(head.served)
  })

  fact(
    'spares also what was written between the parts, equal or not, and the tombstone of an id nobody knew',
    async scene => {
      const { collections } = scene.store
      await collections.apply(scene.collection, { merge: { a: { x: 1 } } })
      const query = await beginQuery(scene)
      const result = await query.end({ never: { x: 1 } }, () =>
        collections.apply(scene.collection, { merge: { a: { x: 1 } }, remove: ['never'] }),
      )
      expect(result).toMatchObject({ spared: 2, count: 1 })
      expect(await collections.get(scene.collection, ['a', 'never'])).toEqual({ a: { x: 1 } })
    },
  )

  fact('spares nothing that changed after it began and is the same now', async scene => {
    const query = await beginQuery(scene)
    await scene.store.collections.apply(scene.collection, { merge: { a: { x: 1 } }, remove: ['b'] })
    expect(await query.end({ a: { x: 1 } })).toMatchObject({ spared: 0 })
    expect(await headOf(scene)).toMatchObject({ asked: 0, served: 0 })
  })
}

function describeRefused({ fact, expect }: Suite): void {
  fact('is refused after the collection was dropped, or dropped and made anew', async scene => {
    const query = await beginQuery(scene)
    await scene.store.collections.drop(scene.collection)
    expect(await query.end({ a: {} })).toEqual({ refused: 'epoch' })
    expect(await scene.store.collections.head(scene.collection)).toBe(undefined)
    const second = await beginQuery(scene)
    expect(await second.end(() => anew(scene), { a: {} })).toEqual({ refused: 'epoch' })
    expect(await headOf(scene)).toMatchObject({ version: 0, count: 0 })
  })

  fact('is refused when its lease ran out, went to another holder or was granted anew', async scene => {
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

  fact('is refused when it would remove too large a share of more than 100 objects', async scene => {
    const { collections } = scene.store
    await (await beginQuery(scene)).end(many(0, 102))
    const attempt = async (left: number, more: object = {}) => (await beginQuery(scene, more)).end(many(0, left))
    expect(await attempt(50)).toEqual({ refused: 'share' })
    expect(await headOf(scene)).toMatchObject({ version: 1, count: 102 })
    expect(await attempt(51)).toMatchObject({ removed: 51, count: 51 })
    expect(await attempt(0)).toMatchObject({ removed: 51, count: 0 })
    await (await beginQuery(scene)).end(many(0, 102))
    expect(await attempt(0, { maxRemovedShare: 1 })).toMatchObject({ removed: 102, count: 0 })
    expect(await collections.list(scene.collection, { limit: 9 })).toEqual([])
  })

  fact(
    'is never refused for its share in collections of up to 100, and counts only what it would remove',
    async scene => {
      const { collections } = scene.store
      await (await beginQuery(scene)).end(many(0, 101))
      expect(await (await beginQuery(scene)).end(many(0, 50))).toEqual({ refused: 'share' })
      await collections.apply(scene.collection, { remove: ['id 100'] })
      expect(await (await beginQuery(scene)).end(many(0, 10))).toMatchObject({ removed: 90 })
      await (await beginQuery(scene)).end(many(0, 102))
      const query = await beginQuery(scene)
      await collections.apply(scene.collection, { merge: many(0, 80, { newer: true }) })
      expect(await query.end({})).toMatchObject({ removed: 22, spared: 80 })
    },
  )

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

async function anew({ store, collection }: Scene): Promise<void> {
  await store.collections.drop(collection)
  await store.collections.open(collection)
}

function describeFailed({ fact, expect }: Suite): void {
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

function describeDue({ fact, expect }: Suite): void {
  fact('serves those who asked before it began, and sets when the next is due', async scene => {
    const { collections } = scene.store
    await collections.ask(scene.collection)
    expect(await collections.head(scene.collection)).toBe(undefined)
    await collections.open(scene.collection)
    await collections.ask(scene.collection)
    const query = await beginQuery(scene, { nextQuery: 5000 })
    await collections.ask(scene.collection)
    await query.end({ a: {} })
    expect(await headOf(scene)).toMatchObject({ asked: 2, served: 1, nextQuery: 5000, queriedAt: scene.clock.now })
    await (await beginQuery(scene)).end({ a: {} })
    const head = await headOf(scene)
    expect([head.asked, head.served, 'nextQuery' in head]).toEqual([2, 2, false])
  })

  fact('is due at a time that was asked for', async scene => {
    await scene.store.collections.open(scene.collection)
    await scene.store.collections.ask(scene.collection, 12_345)
    expect(await headOf(scene)).toMatchObject({ asked: 0, nextQuery: 12_345 })
  })

  fact('clears what a failed query left', async scene => {
    const { collections } = scene.store
    const error = { code: 'backend_failed', message: 'no answer' }
    await collections.noteFailure(scene.collection, { error })
    expect(await collections.head(scene.collection)).toBe(undefined)
    await collections.open(scene.collection)
    await collections.noteFailure(scene.collection, { error, nextQuery: 77 })
    expect(await headOf(scene)).toMatchObject({ sourceError: error, nextQuery: 77 })
    await (await beginQuery(scene)).end({})
    const head = await headOf(scene)
    expect(['sourceError' in head, 'nextQuery' in head]).toEqual([false, false])
  })
}
