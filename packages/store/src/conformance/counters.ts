import { type Suite, sure } from './suite.js'

export function describeCounters({ describe, fact, expect }: Suite): void {
  describe('counters', () => {
    fact('count by name, whatever the name', async ({ store: { counters } }) => {
      for (const name of ['a', 'a', 'a:*{tag}', '__proto__', '']) await counters.add(name, 1000)
      const read = await counters.get(['a', 'a:*{tag}', '__proto__', '', 'b'])
      expect(read.map(counter => counter?.count)).toEqual([2, 1, 1, 1, undefined])
      expect(await counters.get([])).toEqual([])
    })

    fact('count additions at once each', async ({ store: { counters } }) => {
      const counts = await Promise.all(Array.from({ length: 50 }, () => counters.add('a', 1000)))
      expect(counts.sort((one, other) => one - other)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
    })

    fact(
      'tell their age, and are forgotten some time after the last addition',
      async ({ store: { counters }, clock }) => {
        await counters.add('a', 100)
        clock.now += 99
        expect(await counters.get(['a'])).toEqual([{ count: 1, age: 99 }])
        await counters.add('a', 100)
        clock.now += 99
        expect(sure((await counters.get(['a']))[0])).toEqual({ count: 2, age: 99 })
        clock.now += 1
        expect(await counters.get(['a'])).toEqual([undefined])
        expect(await counters.add('a', 100)).toBe(1)
      },
    )

    fact('are forgotten when they are told to', async ({ store: { counters } }) => {
      await counters.add('a', 1000)
      await counters.add('b', 1000)
      await counters.remove('a')
      await counters.remove('never')
      expect((await counters.get(['a', 'b'])).map(counter => counter?.count)).toEqual([undefined, 1])
    })

    fact('of a time to come are forgotten, as the clock went back', async ({ store: { counters }, clock }) => {
      await counters.add('a', 1000)
      clock.now -= 86_400_000
      expect(await counters.get(['a'])).toEqual([undefined])
      expect(await counters.add('a', 1000)).toBe(1)
    })

    fact('end with a clear', async ({ store }) => {
      await store.counters.add('a', 1000)
      await store.clear()
      expect(await store.counters.get(['a'])).toEqual([undefined])
    })
  })
}
