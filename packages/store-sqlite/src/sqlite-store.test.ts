import { describe, expect, test } from '@jest/globals'
import { openSqliteStore } from './open-sqlite-store.js'

const collection = { source: 's', partition: 'p' }
describe('smoke', () => {
  test('runs', async () => {
    const store = await openSqliteStore(':memory:')
    const a = await store.collections.apply(collection, { merge: { a: { x: 1 }, b: { y: 2 } } })
    expect(a).toMatchObject({ version: 1, changed: 2, count: 2 })
    expect((await store.collections.changes(collection, { limit: 10 }))?.rows).toHaveLength(2)
    const lease = await store.leases.acquire({ kind: 'query', collection }, { holder: 'x', milliseconds: 1000 })
    const head = (await store.collections.head(collection))!
    const parts = async function* () {
      yield { a: { x: 1 }, c: { z: 3 } }
    }
    expect(
      await store.collections.replace(collection, parts(), {
        epoch: head.epoch,
        fence: lease!.fence,
        since: head.version,
        asked: 0,
        maxRemovedShare: 1,
      }),
    ).toMatchObject({ changed: 1, removed: 1, spared: 0, count: 2 })
    const m = { number: 1, key: 'k'.repeat(16), operation: 'create' as const, object: 't1', attributes: { n: 1 } }
    const accepted = await store.journal.accept(collection, {
      client: 'c',
      user: 'u',
      epoch: head.epoch,
      acknowledged: 0,
      mutations: [m],
      idempotent: true,
    })
    expect(accepted).toMatchObject({ entries: [{ state: 'queued' }] })
    const started = await store.journal.start(collection, m.key, { milliseconds: 1000, durable: false })
    if ('refused' in started) throw new Error(started.refused)
    const settled = await store.journal.settle(collection, m.key, {
      epoch: head.epoch,
      fence: started.fence,
      status: 'applied',
      link: 'r1',
      write: { object: 'r1', set: { n: 1 } },
    })
    expect(settled).toMatchObject({ outcome: { outcome: 1, link: 'r1' } })
    expect(await store.journal.outcomes(collection, 'c', { after: 0, limit: 10 })).toHaveLength(1)
    expect(await store.journal.undecided({ state: 'queued', limit: 10 })).toHaveLength(0)
    await store.collections.drop(collection)
    await store.clear({ keep: ['user'] })
    await store.check()
    await store.close()
  })
})
