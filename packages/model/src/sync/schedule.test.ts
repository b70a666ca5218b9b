import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ManualTimers } from '../testing/manual-timers.js'
import { LONGEST_WAIT } from './back-off.js'
import { type RunEnd, Schedule } from './schedule.js'

function scheduled(seconds = 60, share = 0.5) {
  const timers = new ManualTimers()
  const runs: { readonly at: number; readonly sources: readonly string[] | undefined }[] = []
  const run = (sources?: readonly string[]) => void runs.push({ at: timers.now, sources })
  const schedule = new Schedule({ timers, random: () => share, run }, seconds)
  return { timers, runs, schedule }
}

describe('the schedule', () => {
  test('runs all after the interval, and again when that run is over', () => {
    const { timers, runs, schedule } = scheduled()
    schedule.start()
    timers.pass(59_999)
    expect(runs).toEqual([])
    timers.pass(1)
    expect(runs).toEqual([{ at: 60_000, sources: undefined }])
    timers.pass(1_000_000)
    expect(runs).toHaveLength(1)
    schedule.ended({ kind: 'ok' }, true)
    expect(timers.waits).toEqual([60_000])
  })

  test('never runs with an interval of 0, nor after its end', () => {
    const { timers, runs, schedule } = scheduled(0)
    schedule.start()
    schedule.ended({ kind: 'failed' }, true)
    schedule.soon(['City'], 500)
    schedule.every(5)
    schedule.soon(undefined, 500)
    schedule.stop()
    schedule.ended({ kind: 'ok' }, true)
    timers.pass(1_000_000)
    expect([runs, timers.waits]).toEqual([[], []])
  })

  test('joins hints that come together, and spreads them', () => {
    const { timers, runs, schedule } = scheduled()
    schedule.start()
    schedule.soon(['City'], 500)
    schedule.soon(['Visit', 'City'], 500)
    timers.pass(250)
    expect(runs).toEqual([{ at: 250, sources: ['City', 'Visit'] }])
    schedule.soon(['City'], 500)
    schedule.soon(undefined, 5000)
    timers.pass(250)
    expect(runs.at(-1)).toEqual({ at: 500, sources: undefined })
  })

  test('a run of one source does not put off that of all', () => {
    const { timers, schedule } = scheduled()
    schedule.start()
    timers.pass(40_000)
    schedule.ended({ kind: 'ok' }, false)
    expect(timers.waits).toEqual([20_000])
  })

  test('drops hints while it backs off, and does what the server asks', () => {
    const { timers, runs, schedule } = scheduled()
    schedule.start()
    schedule.ended({ kind: 'failed', retryAfter: 30 }, true)
    schedule.soon(['City'], 500)
    timers.pass(29_999)
    expect(runs).toEqual([])
    timers.pass(1)
    expect(runs).toHaveLength(1)
  })

  test('whatever happens, one timer waits for the next run, no longer than it may', () => {
    const end: fc.Arbitrary<RunEnd> = fc.oneof(
      fc.constant<RunEnd>({ kind: 'ok' }),
      fc.constant<RunEnd>({ kind: 'stopped' }),
      fc.constant<RunEnd>({ kind: 'failed' }),
    )
    const step = fc.oneof(
      fc.record({ end, isAll: fc.boolean() }),
      fc.record({ pass: fc.nat(400_000) }),
      fc.record({ hint: fc.constantFrom('City', 'Visit') }),
    )
    fc.assert(
      fc.property(fc.array(step), fc.double({ min: 0, max: 0.999, noNaN: true }), (steps, share) => {
        const timers = new ManualTimers()
        let running = 0
        const schedule = new Schedule({ timers, random: () => share, run: () => void running++ }, 60)
        schedule.start()
        for (const one of steps) {
          if ('pass' in one) timers.pass(one.pass)
          else if ('hint' in one) schedule.soon([one.hint], 500)
          else schedule.ended(one.end, one.isAll)
          for (; running > 0; running--) schedule.ended({ kind: 'ok' }, true)
          expect(timers.waits.length).toBeGreaterThanOrEqual(1)
          expect(timers.waits.length).toBeLessThanOrEqual(2)
          expect(timers.waits.at(-1)).toBeLessThanOrEqual(LONGEST_WAIT)
        }
        schedule.stop()
        expect(timers.waits).toEqual([])
      }),
    )
  })
})
