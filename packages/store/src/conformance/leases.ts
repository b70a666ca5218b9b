import type { LeaseName } from '../leases.js'
import { type Suite, sure } from './suite.js'

const DAY = 86_400_000
const NAME: LeaseName = { kind: 'server', name: 'task:*' }

export function describeLeases({ describe, fact, expect }: Suite): void {
  describe('leases', () => {
    fact('go to one holder until they run out, by the store\u2019s clock', async ({ store: { leases }, clock }) => {
      const acquire = (holder: string) => leases.acquire(NAME, { holder, milliseconds: 100 })
      const both = await Promise.all([acquire('one'), acquire('two')])
      expect(both.filter(lease => lease !== undefined).length).toBe(1)
      const first = sure(both.find(lease => lease !== undefined))
      clock.now += 99
      expect(await acquire('three')).toBe(undefined)
      clock.now += 1
      const third = sure(await acquire('three'))
      expect(third).toMatchObject({ name: NAME, holder: 'three' })
      expect(third.fence).toBeGreaterThan(first.fence)
    })

    fact('are granted again to the same holder, with a higher fence', async ({ store: { leases } }) => {
      const acquire = async () => sure(await leases.acquire(NAME, { holder: 'one', milliseconds: 100 }))
      const first = await acquire()
      const second = await acquire()
      expect(second.fence).toBeGreaterThan(first.fence)
      expect([await leases.renew(first, 100), await leases.renew(second, 100)]).toEqual([false, true])
    })

    fact('are held under a clock that has fractions of milliseconds', async ({ store: { leases }, clock }) => {
      clock.now += 1 / 3
      const lease = sure(await leases.acquire(NAME, { holder: 'one', milliseconds: 100 }))
      expect(await leases.renew(lease, 100)).toBe(true)
      expect(await leases.acquire(NAME, { holder: 'two', milliseconds: 100 })).toBe(undefined)
    })

    fact('are renewed only while they are held', async ({ store: { leases }, clock }) => {
      const lease = sure(await leases.acquire(NAME, { holder: 'one', milliseconds: 100 }))
      clock.now += 60
      expect(await leases.renew(lease, 100)).toBe(true)
      clock.now += 99
      expect(await leases.renew(lease, 1)).toBe(true)
      clock.now += 1
      expect(await leases.renew(lease, 100)).toBe(false)
      await leases.acquire(NAME, { holder: 'two', milliseconds: 100 })
      expect(await leases.renew(lease, 100)).toBe(false)
    })

    fact('count as past when the clock was set back by more than a minute', async ({ store: { leases }, clock }) => {
      const acquire = (holder: string) => leases.acquire(NAME, { holder, milliseconds: 100 })
      const first = sure(await acquire('one'))
      clock.now -= 30_000
      expect([await acquire('two'), await leases.renew(first, 100)]).toEqual([undefined, true])
      clock.now -= DAY
      expect(await leases.renew(first, 100)).toBe(false)
      const second = sure(await acquire('two'))
      expect(second.fence).toBeGreaterThan(first.fence)
      expect([await acquire('three'), await leases.renew(second, 100)]).toEqual([undefined, true])
    })

    fact('are free after a release, and the fence still grows', async ({ store: { leases } }) => {
      const first = sure(await leases.acquire(NAME, { holder: 'one', milliseconds: 100 }))
      await leases.release(first)
      expect(await leases.renew(first, 100)).toBe(false)
      const second = sure(await leases.acquire(NAME, { holder: 'two', milliseconds: 100 }))
      expect(second.fence).toBeGreaterThan(first.fence)
      await leases.release(first)
      expect(await leases.renew(second, 100)).toBe(true)
    })

    fact('of different names and kinds do not meet', async ({ store: { leases }, collection }) => {
      const names: readonly LeaseName[] = [
        NAME,
        { kind: 'query', collection },
        { kind: 'drain', collection },
        { kind: 'query', collection: { source: 'a', partition: 'b:c' } },
        { kind: 'query', collection: { source: 'a:b', partition: 'c' } },
        { kind: 'server', name: 'task' },
      ]
      const granted = await Promise.all(
        names.map((name, index) => leases.acquire(name, { holder: `${index}`, milliseconds: 9 })),
      )
      expect(granted.map(lease => lease?.name)).toEqual(names)
    })

    fact('of a collection outlive its drop', async ({ store, collection }) => {
      const name: LeaseName = { kind: 'query', collection }
      await store.collections.open(collection)
      const first = sure(await store.leases.acquire(name, { holder: 'one', milliseconds: 100 }))
      await store.collections.drop(collection)
      const second = sure(await store.leases.acquire(name, { holder: 'one', milliseconds: 100 }))
      expect(second.fence).toBeGreaterThan(first.fence)
    })
  })
}
