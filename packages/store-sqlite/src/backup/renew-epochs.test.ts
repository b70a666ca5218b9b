import type { Mutation } from '@godwit/protocol'
import type { Store } from '@godwit/store'
import { describe, expect, test } from '@jest/globals'
import BetterSqlite3 from 'better-sqlite3'
import { migrate } from '../migrate.js'
import type { SqliteHandle } from '../sqlite-handle.js'
import { sqliteStore } from '../sqlite-store.js'
import { renewEpochs } from './renew-epochs.js'

const NOTES = { source: 'Note', partition: 'user:ada' }
const CLIENT = 'client-1'

const update = (number: number, object = 'a', content: Partial<Mutation> = {}): Mutation => ({
  number,
  key: `key-of-mutation-${object}-${number}`,
  operation: 'update',
  object,
  attributes: { text: `${number}` },
  ...content,
})

/** A store in memory that can be copied and restored. */
function world() {
  let database = new BetterSqlite3(':memory:')
  migrate(database as SqliteHandle, ':memory:')
  const open = (): Store => {
    const scratch = () => new BetterSqlite3('') as SqliteHandle
    return sqliteStore({ writer: database as SqliteHandle, reader: database as SqliteHandle, scratch })
  }
  return {
    open,
    copy: () => database.serialize(),
    restore(copy: Buffer) {
      database = new BetterSqlite3(Buffer.from(copy))
      renewEpochs(database as SqliteHandle)
      return open()
    },
  }
}

const accept = async (store: Store, mutations: readonly Mutation[], { acknowledged = 0, idempotent = true } = {}) => {
  const { epoch } = await store.collections.open(NOTES)
  const acceptance = { client: CLIENT, user: 'ada', epoch, acknowledged, mutations, idempotent }
  const accepted = await store.journal.accept(NOTES, acceptance)
  return 'entries' in accepted ? accepted.entries.map(({ state }) => state) : accepted
}

const run = async (store: Store, { key }: Mutation) => {
  const started = await store.journal.start(NOTES, key, { milliseconds: 1000, durable: true })
  if ('refused' in started) return started
  const { epoch, fence } = started
  return store.journal.settle(NOTES, key, { epoch, fence, status: 'applied' })
}

const outcomes = async (store: Store) => {
  const given = await store.journal.outcomes(NOTES, CLIENT, { after: 0, limit: 100 })
  return given.outcomes.map(({ outcome, number, status }) => [outcome, number, status])
}

/** Releases started mutations, as a server does after a crash. */
async function sweep(store: Store, to: 'queued' | 'in_doubt'): Promise<number> {
  const started = await store.journal.undecided({ state: 'started', limit: 100 })
  for (const { mutation, fence } of started) await store.journal.release(NOTES, mutation.key, { fence, to })
  return started.length
}

describe('a store in new epochs', () => {
  test('keeps objects, versions and marks, and none of the former epochs', async () => {
    const { open, copy, restore } = world()
    const before = open()
    await before.collections.apply(NOTES, { merge: { a: { text: 'one' } } })
    await before.collections.recordReader(NOTES, 'reader', 1)
    const head = await before.collections.head(NOTES)
    const after = restore(copy())
    expect(await after.collections.head(NOTES)).toEqual({
      ...head,
      epoch: expect.any(String),
      readAt: expect.any(Number),
    })
    expect((await after.collections.head(NOTES))?.epoch).not.toBe(head?.epoch)
    expect(await after.collections.get(NOTES, ['a'])).toEqual({ a: { text: 'one' } })
    expect(await after.collections.readers(NOTES)).toEqual([])
    const from = {
      epoch: head?.epoch ?? '',
      head: 1,
      mark: head?.mark ?? '',
      base: 1,
      start: 0,
      after: { version: 2, id: '' },
    }
    expect(await after.collections.changes(NOTES, { from, limit: 9 })).toMatchObject({ fromZero: true })
  })

  test('queries again, as it was never queried in its epoch', async () => {
    const { open, copy, restore } = world()
    const before = open()
    await accept(before, [update(1)])
    await before.collections.apply({ ...NOTES, source: 'Pushed' }, { merge: { a: {} } })
    const after = restore(copy())
    const head = await after.collections.head(NOTES)
    expect([head?.queriesRequested, head?.queriesServed, head?.queriedAt]).toEqual([1, 0, undefined])
    expect(await after.collections.head({ ...NOTES, source: 'Pushed' })).toMatchObject({ queriesRequested: 0 })
  })

  test('counts numbers and outcomes from 1 again, and knows mutations by their keys', async () => {
    const { open, copy, restore } = world()
    const before = open()
    const [first, second] = [update(1), update(2)]
    await accept(before, [first, second])
    await run(before, first)
    await run(before, second)
    const after = restore(copy())
    expect(await outcomes(after)).toEqual([])
    // The device had the outcome of the first; the second is its first in this epoch.
    expect(await accept(after, [{ ...second, number: 1, sent: true }, update(2, 'b')])).toEqual(['decided', 'queued'])
    expect(await outcomes(after)).toEqual([[1, 1, 'applied']])
    expect(await accept(after, [{ ...first, number: 3, sent: true }])).toEqual(['decided'])
    expect(await outcomes(after)).toEqual([
      [1, 1, 'applied'],
      [2, 3, 'applied'],
    ])
  })

  test('accepts a repeat of the last request of the copied store', async () => {
    const { open, copy, restore } = world()
    const request = [update(1), update(2, 'b'), update(3, 'c')]
    await accept(open(), request)
    const after = restore(copy())
    expect(await accept(after, request)).toEqual(['started', 'started', 'started'])
    expect(await accept(after, request)).toEqual(['started', 'started', 'started'])
    expect(await accept(after, [update(5)])).toEqual({ refused: 'gap', expected: 4 })
    expect(await accept(after, [{ ...update(1), key: 'another-key-entirely' }])).toEqual({ refused: 'forked' })
  })

  test('treats undecided mutations as started by a lost process, in order', async () => {
    const { open, copy, restore } = world()
    const before = open()
    const [first, second, other] = [update(1), update(2), update(3, 'b')]
    await accept(before, [first, second, other])
    await before.journal.start(NOTES, other.key, { milliseconds: 1e9, durable: true })
    const after = restore(restoredTwice(restore, copy()))
    expect(await sweep(after, 'queued')).toBe(3)
    expect(await run(after, second)).toEqual({ refused: 'held' })
    const later = update(1, 'a', { key: 'made-after-the-restore' })
    expect(await accept(after, [later])).toEqual(['queued'])
    expect(await run(after, later)).toEqual({ refused: 'held' })
    for (const mutation of [first, second, other, later]) expect(await run(after, mutation)).toHaveProperty('outcome')
    expect((await after.journal.entries(NOTES, [first.key]))[0]?.attempts).toBeGreaterThan(1)
    expect(await outcomes(after)).toEqual([[1, 1, 'applied']])

    function restoredTwice(again: typeof restore, given: Buffer): Buffer {
      again(given)
      return copy()
    }
  })

  test('reports a doubt under the present number of its key only', async () => {
    const { open, copy, restore } = world()
    const mutation = update(1)
    await accept(open(), [mutation])
    const after = restore(copy())
    await sweep(after, 'in_doubt')
    expect(await outcomes(after)).toEqual([])
    await after.journal.acknowledge(NOTES, CLIENT, 7)
    const renumbered = [update(1, 'b', { sent: true }), { ...mutation, number: 2, sent: true }]
    expect(await accept(after, renumbered, { idempotent: false })).toEqual(['in_doubt', 'in_doubt'])
    expect(await outcomes(after)).toEqual([
      [1, 1, 'in_doubt'],
      [2, 2, 'in_doubt'],
    ])
    const { epoch } = await after.collections.open(NOTES)
    await after.journal.settle(NOTES, mutation.key, { epoch, status: 'refused' })
    expect((await outcomes(after)).at(-1)).toEqual([3, 2, 'refused'])
  })
})
