import type { ChangeRow, Changes, Head, ReadPosition } from '../collections.js'
import { compareIds, READ_BYTES } from '../history/index.js'
import { HOSTILE } from './hostile.js'
import { type Scene, type Suite, sure } from './suite.js'

/** The position of a reader that has everything up to a head. */
const upTo = ({ epoch, version, mark }: Head): ReadPosition => ({
  epoch,
  head: version,
  mark,
  base: version,
  start: 0,
  after: { version: version + 1, id: '' },
})

/** The position of a reader after a row of a pass from zero that began at `start`. */
const goingOn = ({ head }: Changes, start: number, { version, id }: ChangeRow): ReadPosition => ({
  epoch: head.epoch,
  head: head.version,
  mark: head.mark,
  base: 0,
  start,
  after: { version, id },
})

const read = async ({ store, collection }: Scene, limit: number, from?: ReadPosition) =>
  sure(await store.collections.changes(collection, { limit, from }))

/** Bytes of ids and texts. */
const sizeOf = (rows: readonly ChangeRow[]): number =>
  rows.reduce((sum, { id, text }) => sum + Buffer.byteLength(id + (text ?? '')), 0)

const idsOf = (changes: Changes) => changes.rows.map(row => row.id)

const merged = (...ids: readonly string[]) => ({ merge: Object.fromEntries(ids.map(id => [id, { of: id }])) })

export function describeChanges(suite: Suite): void {
  suite.describe('changes', () => {
    describeOrder(suite)
    describeParts(suite)
    describeLargeRows(suite)
    describeTombstones(suite)
    describeVoid(suite)
    describeList(suite)
  })
}

function describeOrder({ fact, expect }: Suite): void {
  fact('come in the order of version, then of the UTF-8 bytes of the id', async scene => {
    await scene.store.collections.apply(scene.collection, merged('😀', '\uffff', 'b', 'a'))
    await scene.store.collections.apply(scene.collection, merged('aa', 'é', 'z'))
    const rows = (await read(scene, 100)).rows.map(({ id, version }) => [version, id])
    expect(rows).toEqual([
      [1, 'a'],
      [1, 'b'],
      [1, '\uffff'],
      [1, '😀'],
      [2, 'aa'],
      [2, 'z'],
      [2, 'é'],
    ])
  })

  fact('come with the head of the same moment, objects as JSON text', async scene => {
    await scene.store.collections.apply(scene.collection, { merge: { a: { x: 1, y: null } } })
    const { head, fromZero, rows } = await read(scene, 100)
    expect(head).toEqual(await scene.store.collections.head(scene.collection))
    expect(fromZero).toBe(true)
    expect(rows).toEqual([{ id: 'a', version: 1, text: '{"x":1}' }])
  })

  fact('go on strictly after the position, through hostile ids, by any page size', async scene => {
    await scene.store.collections.apply(scene.collection, merged(...HOSTILE))
    await scene.store.collections.apply(scene.collection, merged('later'))
    const wanted = [...[...HOSTILE].sort(compareIds), 'later']
    for (const limit of [1, 3, 100]) {
      const ids: string[] = []
      let page = await read(scene, limit)
      const start = page.head.version
      while (page.rows.length > 0) {
        ids.push(...idsOf(page))
        page = await read(scene, limit, goingOn(page, start, sure(page.rows.at(-1))))
      }
      expect(ids).toEqual(wanted)
    }
  })

  fact('show an object once, at its last version', async scene => {
    const { collections } = scene.store
    await collections.apply(scene.collection, merged('a', 'b'))
    await collections.apply(scene.collection, { merge: { a: { x: 2 } } })
    expect((await read(scene, 100)).rows.map(({ id, version }) => [id, version])).toEqual([
      ['b', 1],
      ['a', 2],
    ])
  })

  fact('are the head alone at limit 0', async scene => {
    await scene.store.collections.apply(scene.collection, merged('a'))
    expect(await read(scene, 0)).toMatchObject({ head: { version: 1, count: 1 }, rows: [] })
  })

  fact('after the head are none, and then those that came since', async scene => {
    const { collections } = scene.store
    await collections.apply(scene.collection, merged('a'))
    const from = upTo((await read(scene, 100)).head)
    expect(await read(scene, 100, from)).toMatchObject({ fromZero: false, rows: [] })
    await collections.apply(scene.collection, { ...merged('b'), remove: ['a'] })
    expect((await read(scene, 100, from)).rows).toEqual([
      { id: 'a', version: 2, text: null },
      { id: 'b', version: 2, text: '{"of":"b"}' },
    ])
  })
}

/** One row is read, however large it is. */
function describeLargeRows({ fact, expect }: Suite): void {
  fact('of which each is more than one read has come one by one', async scene => {
    const { collections } = scene.store
    const note = 'ä'.repeat(READ_BYTES / 2)
    for (const id of ['a', 'b', 'c']) await collections.apply(scene.collection, { merge: { [id]: { note } } })
    const first = await read(scene, 100)
    expect([idsOf(first), first.more]).toEqual([['a'], true])
    const listed = await collections.list(scene.collection, { after: 'a', limit: 100 })
    expect([listed.rows.map(({ id }) => id), listed.more]).toEqual([['b'], true])
  })
}

/** Large pages arrive completely and in order, in as many reads as the store needs. */
function describeParts({ fact, expect }: Suite): void {
  fact('of any number and size come in order, in one read or several, of which none is empty', async scene => {
    const { collections } = scene.store
    const ids = Array.from({ length: 5000 }, (_, index) => `${index}`.padStart(4, '0'))
    for (let from = 0; from < 5000; from += 1000)
      await collections.apply(scene.collection, merged(...ids.slice(from, from + 1000)))
    const note = 'x'.repeat(20_000)
    const large = ids.slice(0, 200).map(id => [`large ${id}`, { note }] as const)
    await collections.apply(scene.collection, { merge: Object.fromEntries(large) })
    const rows: ChangeRow[] = []
    for (let from: ReadPosition | undefined, start = 0; ; ) {
      const changes = await read(scene, 10_000, from)
      if (changes.fromZero) start = changes.head.version
      expect(changes.rows.length).toBeGreaterThan(0)
      expect(sizeOf(changes.rows) <= READ_BYTES || changes.rows.length === 1).toBe(true)
      rows.push(...changes.rows)
      if (!changes.more) break
      from = goingOn(changes, start, sure(changes.rows.at(-1)))
    }
    expect(rows.map(({ id }) => id)).toEqual([...ids, ...large.map(([id]) => id)])
    const listed: string[] = []
    for (let isMore = true; isMore; ) {
      const page = await collections.list(scene.collection, { after: listed.at(-1), limit: 10_000 })
      expect(sizeOf(page.rows) <= READ_BYTES || page.rows.length === 1).toBe(true)
      listed.push(...page.rows.map(({ id }) => id))
      isMore = page.more
    }
    expect(listed).toEqual(rows.map(({ id }) => id).sort(compareIds))
    expect([(await read(scene, 10)).more, (await read(scene, 0)).more]).toEqual([true, true])
  })
}

function describeTombstones({ fact, expect }: Suite): void {
  fact('from zero leave out the tombstones up to the start, not those that came after it', async scene => {
    const { collections } = scene.store
    await collections.apply(scene.collection, merged('a', 'b', 'c'))
    await collections.apply(scene.collection, { remove: ['a'] })
    const first = await read(scene, 1)
    expect(idsOf(first)).toEqual(['b'])
    await collections.apply(scene.collection, { remove: ['b'] })
    const rest = await read(scene, 100, goingOn(first, first.head.version, sure(first.rows[0])))
    expect(rest).toMatchObject({ fromZero: false })
    expect(rest.rows.map(({ id, text }) => [id, text === null])).toEqual([
      ['c', false],
      ['b', true],
    ])
  })

  fact('after a base bring every tombstone', async scene => {
    const { collections } = scene.store
    await collections.apply(scene.collection, merged('a', 'b'))
    const from = upTo((await read(scene, 100)).head)
    await collections.apply(scene.collection, { remove: ['a', 'never'] })
    expect(idsOf(await read(scene, 100, from))).toEqual(['a', 'never'])
  })
}

function describeVoid({ fact, expect }: Suite): void {
  fact('begin at zero for a position of another epoch, mark, or a head above the present one', async scene => {
    await scene.store.collections.apply(scene.collection, merged('a'))
    const { head } = await read(scene, 100)
    const stands = upTo(head)
    expect(await read(scene, 9, stands)).toMatchObject({ fromZero: false, rows: [] })
    for (const wrong of [{ epoch: 'other' }, { mark: 'other' }, { head: 2 }])
      expect(await read(scene, 9, { ...stands, ...wrong })).toMatchObject({ fromZero: true, rows: [{ id: 'a' }] })
  })

  fact('begin at zero after a drop', async scene => {
    const { collections } = scene.store
    await collections.apply(scene.collection, merged('a'))
    const from = upTo((await read(scene, 100)).head)
    await collections.drop(scene.collection)
    expect(await collections.changes(scene.collection, { from, limit: 9 })).toBe(undefined)
    await collections.apply(scene.collection, merged('b'))
    expect(await read(scene, 9, from)).toMatchObject({ fromZero: true, head: { version: 1 }, rows: [{ id: 'b' }] })
  })

  fact('know a position at version 0 by the mark made with the epoch', async scene => {
    const head = await scene.store.collections.open(scene.collection)
    await scene.store.collections.apply(scene.collection, merged('a'))
    expect(await read(scene, 9, upTo(head))).toMatchObject({ fromZero: false, rows: [{ id: 'a' }] })
    expect(await read(scene, 9, { ...upTo(head), mark: 'other' })).toMatchObject({ fromZero: true })
  })
}

function describeList({ fact, expect }: Suite): void {
  fact('beside the order of ids: list pages through live objects', async scene => {
    const { collections } = scene.store
    await collections.apply(scene.collection, merged(...HOSTILE))
    await collections.apply(scene.collection, { ...merged('__proto__', 'zz'), remove: ['constructor'] })
    const ids: string[] = []
    for (let after: string | undefined; ; after = ids.at(-1)) {
      const { rows, more } = await collections.list(scene.collection, { after, limit: 3 })
      ids.push(...rows.map(row => row.id))
      if (!more) break
    }
    expect(ids).toEqual([...HOSTILE.filter(id => id !== 'constructor'), 'zz'].sort(compareIds))
    expect(await collections.list(scene.collection, { after: 'z', limit: 1 })).toEqual({
      rows: [{ id: 'zz', version: 2, text: '{"of":"zz"}' }],
      more: true,
    })
  })

  fact('beside them: collections are listed in order of source and partition', async scene => {
    const { collections } = scene.store
    for (const [source, partition] of [
      ['b', 'y'],
      ['a', '😀'],
      ['a', '\uffff'],
      ['a:b', ''],
      ['a', 'y'],
    ] as const)
      await collections.open({ source, partition })
    const list = async (page: object) =>
      (await collections.collections({ limit: 10, ...page })).map(id => `${id.source} ${id.partition}`)
    expect(await list({})).toEqual(['a y', 'a \uffff', 'a 😀', 'a:b ', 'b y'])
    expect(await list({ source: 'a' })).toEqual(['a y', 'a \uffff', 'a 😀'])
    expect(await list({ partition: 'y' })).toEqual(['a y', 'b y'])
    expect(await list({ after: { source: 'a', partition: '\uffff' }, limit: 2 })).toEqual(['a 😀', 'a:b '])
  })
}
