import { type ChangeRow, MAX_BATCH, type Position } from '../collections.js'
import { describeDue } from './due.js'
import { describePendingRemovals } from './pending-removals.js'
import { beginQuery, equalObjects } from './query.js'
import { describeFailed, describeRefused } from './replace-refused.js'
import { canonical, headOf, type Scene, type Suite, sure } from './suite.js'

export function describeReplace(suite: Suite): void {
  suite.describe('replace', () => {
    describeResult(suite)
    describeSpared(suite)
    describeRefused(suite)
    describePendingRemovals(suite)
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
    await (await beginQuery(scene)).end(equalObjects(0, 1500), equalObjects(1500, 2500))
    expect(tooLarge(await history(scene))).toEqual([])
    const second = await beginQuery(scene)
    expect(await second.end(equalObjects(1000, 2600, { x: 1 }))).toMatchObject({
      changed: 1600,
      removed: 1000,
      count: 1600,
    })
    const rows = await history(scene)
    expect([rows.length, tooLarge(rows)]).toEqual([2600, []])
    const removals = rows.slice(rows.findIndex(({ text }) => text === null))
    expect([removals.length, removals.filter(({ text }) => text !== null)]).toEqual([1000, []])
  })

  fact('lets others in while it reads a result whose source never waits', async scene => {
    let turns = 0
    const count = (): void => {
      turns++
      turning = setImmediate(count)
    }
    let turning = setImmediate(count)
    const query = await beginQuery(scene)
    const before = turns
    let staged = 0
    const look = async () => {
      staged = turns - before
    }
    await query.end(...Array.from({ length: 10 }, (_, part) => equalObjects(part * 500, part * 500 + 500)), look)
    clearImmediate(turning)
    expect(staged).toBeGreaterThan(8)
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
    expect(head.queriesRequested).toBeGreaterThan(head.queriesServed)
  })

  fact(
    'spares also what was written between the parts, equal or not, and the tombstone of an unknown id',
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
    expect(await headOf(scene)).toMatchObject({ queriesRequested: 0, queriesServed: 0 })
  })
}

/** All rows with tombstones in order, as a reader gets them that was there from the start. */
async function history({ store, collection }: Scene): Promise<readonly ChangeRow[]> {
  const { epoch, version, mark } = await headOf({ store, collection })
  const rows: ChangeRow[] = []
  for (let after: Position = { version: 0, id: '' }; ; after = sure(rows.at(-1))) {
    const from = { epoch, head: version, mark, base: 0, start: 0, after }
    const changes = sure(await store.collections.changes(collection, { from, limit: 9999 }))
    rows.push(...changes.rows)
    if (!changes.more) return rows
  }
}

/** Versions with more rows than a batch may have. */
function tooLarge(rows: readonly ChangeRow[]): readonly number[] {
  const sizes = new Map<number, number>()
  for (const { version } of rows) sizes.set(version, (sizes.get(version) ?? 0) + 1)
  return [...sizes].filter(([, size]) => size > MAX_BATCH).map(([version]) => version)
}
