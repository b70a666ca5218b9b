import type { AdvanceOptions, Batch } from '../collections.js'
import { beginQuery } from './query.js'
import { headOf, type Scene, type Suite, sure } from './suite.js'

export function describeAdvance(suite: Suite): void {
  suite.describe('advance', () => {
    describeObjects(suite)
    describeCursor(suite)
    describeRefusals(suite)
    describeRunEnd(suite)
  })
}

type Reported = Pick<Batch, 'replace' | 'remove'>

/** Applies changes as the reader of `changes` with the first fence, requested now unless it says otherwise. */
async function advance(scene: Scene, batch: Reported, more: Partial<AdvanceOptions> = {}) {
  const { collections } = scene.store
  const { epoch, version } = await collections.open(scene.collection)
  return collections.advance(scene.collection, batch, { epoch, reader: 'changes', fence: 1, since: version, ...more })
}

const move = (previous: string | null, next: string | null) => ({ cursor: { previous, next } })

function describeObjects({ fact, expect }: Suite): void {
  fact('writes whole objects and removals as one version, and leaves out what is equal', async scene => {
    const { collections } = scene.store
    await collections.apply(scene.collection, { merge: { kept: { x: 1, y: 1 }, changed: { x: 1, y: 1 }, gone: {} } })
    const { version } = await headOf(scene)
    const reported = { replace: { kept: { y: 1, x: 1 }, changed: { x: 2 }, made: { n: null, z: 1 } }, remove: ['gone'] }
    expect(await advance(scene, reported)).toMatchObject({ version: version + 1, changed: 3, count: 3, spared: [] })
    expect(await collections.get(scene.collection, ['kept', 'changed', 'made', 'gone'])).toEqual({
      kept: { x: 1, y: 1 },
      changed: { x: 2 },
      made: { z: 1 },
    })
    expect(await advance(scene, reported)).toMatchObject({ version: version + 1, changed: 0 })
    const { versions } = await collections.history(scene.collection, 'changed', { limit: 1 })
    expect(versions[0]).toMatchObject({ operation: 'changed', origin: { kind: 'query' } })
  })

  fact('leaves a tombstone of an unknown object once', async scene => {
    expect(await advance(scene, { remove: ['never'] })).toMatchObject({ changed: 1, count: 0 })
    expect(await scene.store.collections.look(scene.collection, 'never')).toMatchObject({ state: 'gone' })
    expect(await advance(scene, { remove: ['never'] })).toMatchObject({ changed: 0 })
  })

  fact('spares what changed after it was requested and differs, and nothing that is equal', async scene => {
    const { collections } = scene.store
    await collections.apply(scene.collection, { merge: { mine: { x: 1 }, same: { x: 1 }, old: { x: 1 }, gone: {} } })
    const { version: since } = await headOf(scene)
    await collections.apply(scene.collection, { merge: { mine: { x: 9 }, same: { x: 2 } }, remove: ['gone'] })
    const reported = { replace: { mine: { x: 2 }, same: { x: 2 }, old: { x: 2 }, gone: { x: 2 } } }
    const advanced = await advance(scene, reported, { since, ...move(null, 'one') })
    expect('spared' in advanced && [...advanced.spared].sort()).toEqual(['gone', 'mine'])
    expect(advanced).toMatchObject({ changed: 1 })
    expect(await collections.get(scene.collection, ['mine', 'same', 'old', 'gone'])).toEqual({
      mine: { x: 9 },
      same: { x: 2 },
      old: { x: 2 },
    })
    expect(await collections.cursor(scene.collection)).toBe(null)
  })

  fact('counts as a newer write for a query that runs, equal or not', async scene => {
    const { collections } = scene.store
    await collections.apply(scene.collection, { merge: { a: { x: 1 }, b: { x: 1 } } })
    const query = await beginQuery(scene, { maxRemovedShare: 1 })
    const meanwhile = () => advance(scene, { replace: { a: { x: 1 }, b: { x: 2 } }, remove: ['never'] })
    expect(await query.end({ a: { x: 0 }, b: { x: 0 }, never: {} }, meanwhile)).toMatchObject({ spared: 3, changed: 0 })
    expect(await collections.get(scene.collection, ['a', 'b', 'never'])).toEqual({ a: { x: 1 }, b: { x: 2 } })
  })

  fact('takes hostile ids and lone surrogates as apply does', async scene => {
    await advance(scene, { replace: Object.fromEntries([['__proto__', { constructor: 1 }]]), remove: ['\ud800'] })
    expect(await scene.store.collections.look(scene.collection, '__proto__')).toMatchObject({ state: 'live' })
    expect(await scene.store.collections.look(scene.collection, '\ufffd')).toMatchObject({ state: 'gone' })
  })
}

function describeCursor({ fact, expect, durable }: Suite): void {
  fact('moves the cursor with the changes, only from the one that it names', async scene => {
    const { collections } = scene.store
    expect(await collections.cursor(scene.collection)).toBe(null)
    await advance(scene, { replace: { a: { x: 1 } } }, move(null, 'one'))
    expect(await collections.cursor(scene.collection)).toBe('one')
    for (const previous of [null, 'two'])
      expect(await advance(scene, { replace: { a: { x: 2 } } }, move(previous, 'three'))).toEqual({ refused: 'cursor' })
    expect(await collections.get(scene.collection, ['a'])).toEqual({ a: { x: 1 } })
    await advance(scene, {}, move('one', null))
    expect(await collections.cursor(scene.collection)).toBe(null)
  })

  fact('keeps a cursor of 64 KiB and the head apart', async scene => {
    const next = `__proto__ ${'é'.repeat(32_000)}`
    await advance(scene, {}, move(null, next))
    expect(await scene.store.collections.cursor(scene.collection)).toBe(next)
    expect(JSON.stringify(await headOf(scene)).length < 2000).toBe(true)
  })

  fact('forgets the cursor with the collection', async scene => {
    await advance(scene, {}, move(null, 'one'))
    await scene.store.collections.drop(scene.collection)
    expect(await scene.store.collections.cursor(scene.collection)).toBe(null)
    await advance(scene, {}, move(null, 'two'))
    expect(await scene.store.collections.cursor(scene.collection)).toBe('two')
  })

  if (durable)
    fact('keeps cursor and fences when it is reopened', async scene => {
      await advance(scene, { replace: { a: {} } }, { fence: 7, ...move(null, 'one') })
      const { epoch, version: since } = await headOf(scene)
      await scene.store.close()
      const { collections, close } = await sure(scene.reopen)()
      expect(await collections.cursor(scene.collection)).toBe('one')
      const late = { epoch, reader: 'changes', fence: 6, since, ...move('one', 'two') }
      expect(await collections.advance(scene.collection, {}, late)).toEqual({ refused: 'fence' })
      await close()
    })
}

function describeRefusals({ fact, expect }: Suite): void {
  fact('refuses a reader with a lower fence than the collection has seen of it', async scene => {
    expect(await advance(scene, {}, { fence: 5 })).toMatchObject({ changed: 0 })
    expect(await advance(scene, { replace: { a: {} } }, { fence: 4 })).toEqual({ refused: 'fence' })
    expect(await advance(scene, { replace: { a: {} } }, { fence: 4, reader: 'feed:orders' })).toMatchObject({
      changed: 1,
    })
    expect(await advance(scene, { replace: { b: {} } }, { fence: 5 })).toMatchObject({ changed: 1 })
  })

  fact('refuses another epoch, and does not create a collection', async scene => {
    const { collections } = scene.store
    const options = { epoch: 'other', reader: 'changes', fence: 1, since: 0 }
    expect(await collections.advance(scene.collection, { replace: { a: {} } }, options)).toEqual({ refused: 'epoch' })
    expect(await collections.head(scene.collection)).toBe(undefined)
    await collections.open(scene.collection)
    expect(await collections.advance(scene.collection, { replace: { a: {} } }, options)).toEqual({ refused: 'epoch' })
  })

  fact('refuses changes from before the floor, whose newer removals are no longer known', async scene => {
    const { collections } = scene.store
    await collections.apply(scene.collection, { merge: { a: {}, b: {} } })
    const { version: since } = await headOf(scene)
    await collections.apply(scene.collection, { remove: ['a'] })
    await collections.compact(scene.collection, { below: since + 1, limit: 10 })
    expect(await advance(scene, { replace: { a: {} } }, { since })).toEqual({ refused: 'floor' })
  })
}

function describeRunEnd({ fact, expect }: Suite): void {
  fact('records the end of a run: requests made before it are served, and the next is due', async scene => {
    const { collections } = scene.store
    await collections.open(scene.collection)
    await collections.requestQuery(scene.collection)
    await collections.recordFailure(scene.collection, { error: { code: 'backend_failed', message: 'down' } })
    const end = { queriesRequested: 1, nextQueryIn: 5000, nextQueryBefore: undefined }
    await advance(scene, {}, { end, ...move(null, 'one') })
    const head = await headOf(scene)
    expect(head).toMatchObject({ queriesRequested: 1, queriesServed: 1, nextQuery: scene.clock.now + 5000 })
    expect(['sourceError' in head, 'queriedAt' in head]).toEqual([false, false])
    await advance(scene, {}, { end: { queriesRequested: 0, nextQueryBefore: undefined } })
    expect(await headOf(scene)).toMatchObject({ queriesServed: 1, nextQuery: scene.clock.now + 5000 })
  })

  fact('records no end if an object was spared', async scene => {
    const { collections } = scene.store
    const { version: since } = await collections.open(scene.collection)
    await collections.requestQuery(scene.collection)
    await collections.apply(scene.collection, { merge: { a: { x: 1 } } })
    await advance(scene, { replace: { a: { x: 2 } } }, { since, end: { queriesRequested: 1 } })
    expect(await headOf(scene)).toMatchObject({ queriesRequested: 1, queriesServed: 0 })
  })
}
