import { beginQuery } from './query.js'
import { headOf, type Suite } from './suite.js'

export function describeDue({ fact, expect }: Suite): void {
  fact('serves those who asked before it began, and sets when the next is due', async scene => {
    const { collections } = scene.store
    await collections.requestQuery(scene.collection)
    expect(await collections.head(scene.collection)).toBe(undefined)
    await collections.open(scene.collection)
    expect('queryRequestedAt' in (await headOf(scene))).toBe(false)
    await collections.requestQuery(scene.collection)
    const queryRequestedAt = scene.clock.now
    expect(await headOf(scene)).toMatchObject({ queriesRequested: 1, queryRequestedAt })
    scene.clock.now += 10
    const query = await beginQuery(scene, { nextQueryIn: 5000 })
    await collections.requestQuery(scene.collection)
    await query.end({ a: {} }, async () => {
      scene.clock.now += 700
    })
    expect(await headOf(scene)).toMatchObject({
      queriesRequested: 2,
      queryRequestedAt: queryRequestedAt + 10,
      queriesServed: 1,
      nextQuery: queryRequestedAt + 10 + 700 + 5000,
      queriedAt: scene.clock.now,
    })
    await (await beginQuery(scene)).end({ a: {} })
    const head = await headOf(scene)
    expect([head.queriesRequested, head.queriesServed, 'nextQuery' in head]).toEqual([2, 2, false])
  })

  fact('is due at a time that was asked for', async scene => {
    await scene.store.collections.open(scene.collection)
    await scene.store.collections.requestQuery(scene.collection, 12_345)
    expect(await headOf(scene)).toMatchObject({ queriesRequested: 0, nextQuery: 12_345 })
  })

  fact('knows by its own clock when a head was read, and when its due time was set', async scene => {
    const { collections } = scene.store
    const opened = await collections.open(scene.collection)
    expect([opened.readAt, opened.dueSetAt]).toEqual([scene.clock.now, undefined])
    const ways = [
      () => collections.requestQuery(scene.collection, 1),
      async () => (await beginQuery(scene, { nextQueryIn: 2 })).end({ a: {} }),
      async () =>
        collections.recordFailure(scene.collection, {
          error: { code: 'backend_failed', message: 'no answer' },
          ...{ nextQuery: 3, nextQueryBefore: (await headOf(scene)).nextQuery },
        }),
    ]
    for (const [index, set] of ways.entries()) {
      scene.clock.now += 1000
      const dueSetAt = scene.clock.now
      await set()
      scene.clock.now += 1000
      const due = { nextQuery: index === 1 ? dueSetAt + 2 : index + 1, dueSetAt, readAt: scene.clock.now }
      expect(await headOf(scene)).toMatchObject(due)
      expect((await collections.changes(scene.collection, { limit: 0 }))?.head).toMatchObject(due)
      // One that did not set the time, since it was set meanwhile, does not count.
      await collections.recordFailure(scene.collection, {
        error: { code: 'backend_failed', message: 'no answer' },
        ...{ nextQuery: 9, nextQueryBefore: 8 },
      })
      expect(await headOf(scene)).toMatchObject(due)
    }
    await (await beginQuery(scene)).end({})
    expect('dueSetAt' in (await headOf(scene))).toBe(false)
  })

  fact('keeps a time that was set while a query ran, whether it succeeds or fails', async scene => {
    const { collections } = scene.store
    const failure = { error: { code: 'backend_failed', message: 'no answer' }, nextQuery: 5000 }
    for (const before of [undefined, 77]) {
      if (before !== undefined) await collections.requestQuery(scene.collection, before)
      const query = await beginQuery(scene, { nextQueryIn: 5000 })
      await query.end({ a: {} }, () => collections.requestQuery(scene.collection, 12_345))
      expect(await headOf(scene)).toMatchObject({ queriesServed: 0, nextQuery: 12_345, queriedAt: scene.clock.now })
      await collections.recordFailure(scene.collection, { ...failure, nextQueryBefore: before })
      expect(await headOf(scene)).toMatchObject({ nextQuery: 12_345, sourceError: failure.error })
      await collections.recordFailure(scene.collection, { ...failure, nextQueryBefore: 12_345 })
      expect(await headOf(scene)).toMatchObject({ nextQuery: 5000 })
      await (await beginQuery(scene)).end({})
    }
    expect('nextQuery' in (await headOf(scene))).toBe(false)
  })

  fact('clears what a failed query left', async scene => {
    const { collections } = scene.store
    const error = { code: 'backend_failed', message: 'no answer' }
    await collections.recordFailure(scene.collection, { error })
    expect(await collections.head(scene.collection)).toBe(undefined)
    await collections.open(scene.collection)
    await collections.recordFailure(scene.collection, { error, nextQuery: 77 })
    expect(await headOf(scene)).toMatchObject({ sourceError: error, nextQuery: 77 })
    await (await beginQuery(scene)).end({})
    const head = await headOf(scene)
    expect(['sourceError' in head, 'nextQuery' in head]).toEqual([false, false])
  })
}
