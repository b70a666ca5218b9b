import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Hint } from '../events/hint.js'
import { MAX_BACK_OFF_MS } from '../http/back-off.js'
import { ManualTimers } from '../testing/manual-timers.js'
import { HINT_GAP_MS } from './hints.js'
import { Schedule, type SyncScope } from './sync-schedule.js'

const changes = (...sources: string[]): ReadonlyMap<string, Hint> =>
  new Map(sources.map(source => [source, { kind: 'change' }]))
const CHECK: Hint = { kind: 'check' }

function scheduled(seconds = 60, share = 0.5) {
  const timers = new ManualTimers()
  const runs: { readonly at: number; readonly sources: string }[] = []
  const run = (scope: SyncScope): void => {
    if (scope.kind === 'all') schedule.taken()
    runs.push({ at: timers.now, sources: said(scope) })
  }
  const schedule: Schedule = new Schedule({ timers, random: () => share, run }, seconds)
  return { timers, runs, schedule }
}

const said = (scope: SyncScope): string =>
  scope.kind === 'some' ? [...scope.sources.keys()].join() : `all${[...scope.without].map(one => ` but ${one}`)}`

/** A schedule whose first run was fine. */
function begun() {
  const all = scheduled()
  all.schedule.start()
  all.timers.pass(0)
  all.schedule.ended({ isAll: true })
  all.runs.length = 0
  return all
}

describe('the schedule', () => {
  test('syncs all sources in a later task, and again an interval after that run', () => {
    const { timers, runs, schedule } = scheduled()
    schedule.start()
    expect([runs, timers.waits, schedule.isOpening]).toEqual([[], [0], true])
    timers.pass(0)
    expect([runs, schedule.isOpening]).toEqual([[{ at: 0, sources: 'all' }], false])
    timers.pass(1_000_000)
    expect(runs).toHaveLength(1)
    schedule.ended({ isAll: true })
    expect(timers.waits).toEqual([60_000])
  })

  test('skips the first run where the app requests one meanwhile', () => {
    const { timers, runs, schedule } = scheduled()
    schedule.start()
    schedule.taken()
    timers.pass(1_000_000)
    expect(runs).toEqual([])
    schedule.ended({ isAll: true })
    expect(timers.waits).toEqual([60_000])
  })

  test('syncs all sources once a run of some succeeds, as hints during the back-off were dropped', () => {
    const { timers, runs, schedule } = begun()
    schedule.ended({ isAll: false, server: { isOffline: true } })
    schedule.soon(changes('City'), 500)
    schedule.ended({ isAll: false, done: ['Visit'] })
    expect(timers.waits).toEqual([500])
    timers.pass(500)
    expect(runs).toEqual([{ at: 500, sources: 'all' }])
  })

  test('syncs all sources again where a hint came during the run that ended a back-off', () => {
    const { timers, runs, schedule } = begun()
    schedule.ended({ isAll: false, server: { isOffline: true } })
    timers.pass(500)
    schedule.soon(changes('City'), 500)
    schedule.ended({ isAll: true })
    expect(timers.waits).toEqual([500])
    timers.pass(500)
    expect(runs.map(({ sources }) => sources)).toEqual(['all', 'all'])
    schedule.ended({ isAll: true })
    expect(timers.waits).toEqual([60_000])
  })

  test('syncs all sources again where a run of some failed during a run of all', () => {
    const { timers, schedule } = begun()
    timers.pass(60_000)
    schedule.soon(changes('City'), 0)
    timers.pass(0)
    schedule.ended({ isAll: false, server: { isOffline: true } })
    schedule.ended({ isAll: true })
    expect(timers.waits).toEqual([500])
  })

  test('a run of all sources covers earlier hints, and the next waits its interval', () => {
    const { timers, schedule } = begun()
    schedule.ended({ isAll: false, server: { isOffline: true } })
    schedule.soon(changes('City'), 500)
    timers.pass(500)
    schedule.soon(new Map(), 500)
    schedule.ended({ isAll: true })
    expect(timers.waits).toEqual([60_000])
  })

  test('never runs with an interval of 0, nor after its end', () => {
    const { timers, runs, schedule } = scheduled(0)
    schedule.start()
    schedule.ended({ isAll: true, server: { isOffline: true } })
    schedule.ended({ isAll: true, failed: new Map([['City', 3]]) })
    schedule.soon(changes('City'), 500)
    expect(timers.waits).toEqual([])
    schedule.every(5)
    schedule.soon(changes('Visit'), 500)
    schedule.stop()
    schedule.ended({ isAll: true })
    timers.pass(1_000_000)
    expect([runs, timers.waits]).toEqual([[], []])
  })

  test('starts when the interval changes from 0', () => {
    const { timers, runs, schedule } = scheduled(0)
    schedule.start()
    schedule.every(5)
    timers.pass(0)
    expect(runs).toEqual([{ at: 0, sources: 'all' }])
  })

  test('merges hints of a source, batches simultaneous ones, and spreads runs', () => {
    const { timers, runs, schedule } = begun()
    schedule.soon(changes('City'), 500)
    schedule.soon(changes('City'), 500)
    timers.pass(250)
    expect(runs).toEqual([{ at: 250, sources: 'City' }])
    schedule.soon(new Map([...changes('Visit'), ['Note', CHECK]]), 5000)
    timers.pass(2500)
    expect(runs.at(-1)).toEqual({ at: 2750, sources: 'Visit,Note' })
  })

  test('does not delay a change behind a check that is spread over devices', () => {
    const { timers, runs, schedule } = begun()
    schedule.soon(new Map([['City', CHECK]]), 10_000)
    schedule.soon(changes('City'), 0)
    timers.pass(10_000)
    expect(runs).toEqual([{ at: 0, sources: 'City' }])
  })

  test('a source that changes constantly runs at once and then at intervals', () => {
    const { timers, runs, schedule } = begun()
    for (let at = 0; at < 1900; at += 10) {
      schedule.soon(changes('City'), 0)
      timers.pass(10)
    }
    expect(runs.map(({ at }) => at)).toEqual([0, 1, 2, 3].map(run => run * HINT_GAP_MS))
  })

  test('a run of one source does not delay that of all', () => {
    const { timers, schedule } = begun()
    timers.pass(40_000)
    schedule.ended({ isAll: false })
    expect(timers.waits).toEqual([20_000])
  })

  test('drops hints while it backs off, and obeys Retry-After', () => {
    const { timers, runs, schedule } = begun()
    schedule.ended({ isAll: true, server: { isOffline: false, retryAfter: 30 } })
    schedule.soon(changes('City'), 500)
    expect(schedule.reached()).toBe(false)
    timers.pass(29_999)
    expect(runs).toEqual([])
    timers.pass(1)
    expect(runs).toHaveLength(1)
  })

  test('a source whose backend fails waits alone, and all others run at hints and intervals', () => {
    const { timers, runs, schedule } = begun()
    schedule.ended({ isAll: true, failed: new Map([['City', 100]]), done: ['Visit'] })
    schedule.soon(changes('City', 'Visit'), 0)
    timers.pass(60_000)
    expect(runs.map(({ sources }) => sources)).toEqual(['Visit', 'all but City'])
    schedule.ended({ isAll: true, done: ['Visit'] })
    expect([schedule.mustWait('City'), schedule.mustWait('Visit')]).toEqual([true, false])
    timers.pass(40_000)
    expect(runs.at(-1)).toEqual({ at: 100_000, sources: 'City' })
    schedule.ended({ isAll: false, done: ['City'] })
    timers.pass(20_000)
    expect(runs.at(-1)).toEqual({ at: 120_000, sources: 'all' })
  })

  test('resumes when an unreachable server is reachable again', () => {
    const { timers, schedule } = begun()
    for (let failure = 0; failure < 9; failure++) schedule.ended({ isAll: true, server: { isOffline: true } })
    expect([schedule.mustWait('City'), schedule.reached(), schedule.mustWait('City')]).toEqual([true, true, false])
    expect([timers.waits, schedule.reached()]).toEqual([[60_000], false])
  })

  test('in any sequence, a run of all is never overdue, and few timers are set', () => {
    const source = fc.constantFrom('City', 'Visit')
    const end = fc.oneof(
      fc.constant({}),
      fc.constant({ isStopped: true }),
      fc.record({ server: fc.record({ isOffline: fc.boolean() }) }),
      source.map(one => ({ failed: new Map([[one, undefined]]) })),
      source.map(one => ({ done: [one] })),
    )
    const step = fc.oneof(
      fc.record({ end, isAll: fc.boolean() }),
      fc.record({ pass: fc.nat(400_000) }),
      fc.record({ hint: source, within: fc.nat(10_000) }),
      fc.constant({ reached: true }),
    )
    fc.assert(
      fc.property(fc.array(step), fc.double({ min: 0, max: 0.999, noNaN: true }), (steps, share) => {
        const { timers, runs, schedule } = scheduled(60, share)
        schedule.start()
        for (const one of steps) {
          if ('pass' in one) timers.pass(one.pass)
          else if ('hint' in one) schedule.soon(changes(one.hint), one.within)
          else if ('reached' in one) schedule.reached()
          else schedule.ended({ isAll: one.isAll, ...one.end })
          for (; runs.length > 0; runs.pop()) schedule.ended({ isAll: runs.at(-1)?.sources.startsWith('all') ?? false })
          // The next run of all, and for each source its trouble, its hint and the gap after one.
          expect(timers.waits.length).toBeGreaterThanOrEqual(1)
          expect(timers.waits.length).toBeLessThanOrEqual(1 + 2 * 3)
          expect(timers.waits.at(-1)).toBeLessThanOrEqual(MAX_BACK_OFF_MS)
        }
        schedule.stop()
        expect(timers.waits).toEqual([])
      }),
    )
  })
})
