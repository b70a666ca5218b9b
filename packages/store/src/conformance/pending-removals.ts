import type { ObjectMap } from '@godwit/protocol'
import type { ReplaceOptions } from '../collections.js'
import { beginQuery, equalObjects } from './query.js'
import { headOf, type Scene, type Suite } from './suite.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const confirmation = { after: MINUTE, afterNothing: HOUR, user: 'ada' }

const query = async (scene: Scene, answer: ObjectMap, more: Partial<ReplaceOptions> = {}) =>
  (await beginQuery(scene, more)).end(answer)

const confirmed = (scene: Scene, answer: ObjectMap) => query(scene, answer, { confirmation })

export function describePendingRemovals(suite: Suite): void {
  suite.describe('removals of too large a share', () => {
    describeHolding(suite)
    describeConfirming(suite)
    describeAccepting(suite)
  })
}

function describeHolding({ fact, expect }: Suite): void {
  fact('are held back, of more than 100 objects, while changes and additions are applied', async scene => {
    const { collections } = scene.store
    await query(scene, equalObjects(0, 102))
    const answer = { ...equalObjects(0, 49), 'id 7': { changed: true }, added: {} }
    const replaced = await query(scene, answer)
    expect(replaced).toMatchObject({ changed: 2, removed: 0, count: 103, pendingRemovals: { count: 53 } })
    const { pendingRemovals, queriedAt, sourceError } = await headOf(scene)
    expect(pendingRemovals).toMatchObject({ count: 53, since: scene.clock.now })
    expect([queriedAt, sourceError]).toEqual([scene.clock.now, undefined])
    expect(await collections.get(scene.collection, ['id 7', 'id 101'])).toEqual({
      'id 7': { changed: true },
      'id 101': {},
    })
    expect(await collections.withPendingRemovals({ limit: 9 })).toEqual([scene.collection])
    expect(await collections.withPendingRemovals({ after: scene.collection, limit: 9 })).toEqual([])
    expect((await collections.changes(scene.collection, { limit: 0 }))?.head).toMatchObject({ pendingRemovals })
  })

  fact('are applied at once up to the share, of up to 100 objects, and without a limit', async scene => {
    await query(scene, equalObjects(0, 102))
    expect(await query(scene, equalObjects(0, 51))).toMatchObject({ removed: 51, count: 51 })
    expect(await query(scene, {})).toMatchObject({ removed: 51, count: 0 })
    await query(scene, equalObjects(0, 102))
    expect(await query(scene, {}, { maxRemovedShare: 1 })).toMatchObject({ removed: 102, count: 0 })
    expect('pendingRemovals' in (await headOf(scene))).toBe(false)
  })

  fact('do not count objects that were changed after the query began', async scene => {
    await query(scene, equalObjects(0, 102))
    const begun = await beginQuery(scene)
    await scene.store.collections.apply(scene.collection, { merge: equalObjects(0, 80, { newer: true }) })
    expect(await begun.end({})).toMatchObject({ removed: 22, spared: 80 })
  })

  fact('are forgotten when a query finds few again, and with the collection', async scene => {
    const { collections } = scene.store
    for (const end of [() => query(scene, equalObjects(0, 102)), () => collections.drop(scene.collection)]) {
      await query(scene, equalObjects(0, 102))
      await confirmed(scene, equalObjects(0, 10))
      await collections.acceptRemovals(scene.collection)
      await end()
      const head = await collections.open(scene.collection)
      expect(['pendingRemovals' in head, 'acceptedRemovals' in head]).toEqual([false, false])
      expect(await collections.withPendingRemovals({ limit: 9 })).toEqual([])
    }
  })
}

function describeConfirming({ fact, expect }: Suite): void {
  fact('are applied by a query that agrees, once they have been held back for long enough', async scene => {
    await query(scene, equalObjects(0, 102))
    const since = scene.clock.now
    await confirmed(scene, equalObjects(0, 30))
    scene.clock.now += MINUTE - 1
    const early = { count: 72, since, confirmAt: since + MINUTE, user: 'ada' }
    expect(await confirmed(scene, equalObjects(0, 30))).toMatchObject({ removed: 0, pendingRemovals: early })
    scene.clock.now += 1
    expect(await confirmed(scene, equalObjects(0, 30))).toMatchObject({ removed: 72, count: 30 })
    expect('pendingRemovals' in (await headOf(scene))).toBe(false)
  })

  fact('are those of the last query: what reappears stays, and a few more or fewer do not matter', async scene => {
    await query(scene, equalObjects(0, 202))
    await confirmed(scene, equalObjects(0, 52))
    scene.clock.now += MINUTE
    const answer = { ...equalObjects(1, 52), 'id 60': {}, 'id 61': {} }
    expect(await confirmed(scene, answer)).toMatchObject({ removed: 149, count: 53 })
    expect(await scene.store.collections.get(scene.collection, ['id 0', 'id 60', 'id 62'])).toEqual({ 'id 60': {} })
  })

  fact('wait again if the next query would remove others', async scene => {
    await query(scene, equalObjects(0, 202))
    await confirmed(scene, equalObjects(0, 52))
    scene.clock.now += MINUTE
    const since = scene.clock.now
    const other = { count: 150, since }
    expect(await confirmed(scene, equalObjects(150, 202))).toMatchObject({ removed: 0, pendingRemovals: other })
    scene.clock.now += MINUTE
    expect(await confirmed(scene, equalObjects(150, 202))).toMatchObject({ removed: 150 })
  })

  fact('of a result without any object wait longer, and without a confirmation for ever', async scene => {
    await query(scene, equalObjects(0, 102))
    await confirmed(scene, {})
    scene.clock.now += HOUR - 1
    expect(await confirmed(scene, {})).toMatchObject({ removed: 0 })
    scene.clock.now += 1
    expect(await confirmed(scene, {})).toMatchObject({ removed: 102 })
    await query(scene, equalObjects(0, 102))
    for (let times = 0; times < 3; times++) {
      expect(await query(scene, equalObjects(0, 10))).toMatchObject({ removed: 0, pendingRemovals: { count: 92 } })
      scene.clock.now += 100 * HOUR
    }
    expect('confirmAt' in ((await headOf(scene)).pendingRemovals ?? {})).toBe(false)
  })

  fact('wait again if they were held back by a clock that was ahead', async scene => {
    await query(scene, equalObjects(0, 102))
    await confirmed(scene, equalObjects(0, 10))
    scene.clock.now -= 10 * HOUR
    const since = scene.clock.now
    expect(await confirmed(scene, equalObjects(0, 10))).toMatchObject({ removed: 0, pendingRemovals: { since } })
  })

  fact('make a query due that may confirm them, unless one is due before or was set meanwhile', async scene => {
    const { collections } = scene.store
    await query(scene, equalObjects(0, 102))
    const due = scene.clock.now + MINUTE
    await confirmed(scene, equalObjects(0, 10))
    expect(await headOf(scene)).toMatchObject({ nextQuery: due })
    await query(scene, equalObjects(0, 10), { confirmation, nextQueryIn: MINUTE + 1 })
    expect(await headOf(scene)).toMatchObject({ nextQuery: due })
    await query(scene, equalObjects(0, 10), { confirmation, nextQueryIn: MINUTE - 1 })
    expect(await headOf(scene)).toMatchObject({ nextQuery: due - 1 })
    const begun = await beginQuery(scene, { confirmation })
    await begun.end(equalObjects(0, 10), () => collections.requestQuery(scene.collection, due + 77))
    expect(await headOf(scene)).toMatchObject({ nextQuery: due + 77 })
    await query(scene, equalObjects(0, 10))
    expect('nextQuery' in (await headOf(scene))).toBe(false)
  })

  fact('survive closing the store, if it is durable', async scene => {
    await query(scene, equalObjects(0, 102))
    await confirmed(scene, equalObjects(0, 10))
    const { pendingRemovals } = await headOf(scene)
    if (!scene.reopen) return
    await scene.store.close()
    const store = await scene.reopen()
    expect((await store.collections.open(scene.collection)).pendingRemovals).toEqual(pendingRemovals)
    expect(await store.collections.withPendingRemovals({ limit: 9 })).toEqual([scene.collection])
    await store.close()
  })
}

function describeAccepting({ fact, expect }: Suite): void {
  fact('are applied by the next query that agrees, once an operator accepted them', async scene => {
    const { collections } = scene.store
    expect(await collections.acceptRemovals(scene.collection)).toBe(undefined)
    await query(scene, equalObjects(0, 102))
    expect(await collections.acceptRemovals(scene.collection)).toBe(undefined)
    await query(scene, {})
    const { queriesRequested, pendingRemovals } = await headOf(scene)
    expect(await collections.acceptRemovals(scene.collection)).toEqual(pendingRemovals)
    expect(await headOf(scene)).toMatchObject({
      queriesRequested: queriesRequested + 1,
      queryRequestedAt: scene.clock.now,
    })
    expect(await query(scene, {})).toMatchObject({ removed: 102, count: 0 })
    expect(await collections.acceptRemovals(scene.collection)).toBe(undefined)
  })

  fact('are not applied if what was accepted differs', async scene => {
    const { collections } = scene.store
    await query(scene, equalObjects(0, 202))
    await query(scene, equalObjects(0, 52))
    await collections.acceptRemovals(scene.collection)
    expect(await query(scene, {})).toMatchObject({ removed: 0, pendingRemovals: { count: 202 } })
  })

  fact('are accepted even while a query runs', async scene => {
    const { collections } = scene.store
    await query(scene, equalObjects(0, 102))
    await query(scene, equalObjects(0, 10))
    const begun = await beginQuery(scene)
    await begun.end(equalObjects(0, 10), () => collections.acceptRemovals(scene.collection))
    expect(await query(scene, equalObjects(0, 10))).toMatchObject({ count: 10 })
  })
}
