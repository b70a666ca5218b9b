import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { BackOff, FIRST_BACK_OFF_MS, MAX_BACK_OFF_MS, MAX_RETRY_AFTER_MS } from './back-off.js'

const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })

describe('the back-off', () => {
  test('waits a random part of a doubling time up to five minutes, and at least Retry-After', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ share, requested: fc.option(fc.double({ min: 0, max: 1e9, noNaN: true }), { nil: undefined }) }),
        ),
        failures => {
          let drawn = 0
          const backOff = new BackOff(() => drawn)
          for (const [before, { share, requested = 0 }] of failures.entries()) {
            drawn = share
            const wait = backOff.failed(requested)
            const most = Math.min(MAX_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** before)
            const least = Math.min(requested * 1000, MAX_RETRY_AFTER_MS)
            expect(wait).toBe(Math.max(least, Math.floor(share * most)))
            expect(wait).toBeLessThan(2 ** 31)
          }
          backOff.succeeded()
          drawn = 0.999
          expect(backOff.failed()).toBeLessThan(FIRST_BACK_OFF_MS)
        },
      ),
    )
  })

  test('draws from the whole range of its waits', () => {
    const draws = Array.from({ length: 1000 }, (_, at) => new BackOff(() => at / 1000).failed())
    expect(new Set(draws).size).toBe(1000)
    expect([Math.min(...draws), Math.max(...draws)]).toEqual([0, 999])
  })
})
