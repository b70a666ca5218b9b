import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ManualTimers } from '../testing/manual-timers.js'
import { BUSY_AFTER, BUSY_GAP_MS, GAP_MS, MAX_ECHO_MS, QUIET_MS, SendPace } from './send-pace.js'

function paced() {
  const timers = new ManualTimers()
  const begun: number[] = []
  let answer: 'begun' | 'later' | 'nothing' = 'begun'
  let busy = 0
  const pace = new SendPace({
    timers,
    begin() {
      if (answer === 'begun') begun.push(timers.now)
      return answer
    },
    busy: () => void busy++,
  })
  const say = (next: typeof answer): void => {
    answer = next
  }
  return { timers, begun, pace, say, busy: () => busy }
}

describe('the pace at which writes leave', () => {
  test('the first write after a pause leaves within 20 to 50 ms, with writes made meanwhile', () => {
    const { timers, begun, pace } = paced()
    pace.wrote(false)
    timers.pass(10)
    pace.wrote(false)
    timers.pass(60_000)
    expect(begun).toEqual([QUIET_MS])
    expect(QUIET_MS).toBeGreaterThanOrEqual(20)
    expect(QUIET_MS).toBeLessThanOrEqual(50)
  })

  test('typing causes one request per second, and the last letter is sent too', () => {
    const { timers, begun, pace } = paced()
    for (let letter = 0; letter < 30; letter++) {
      pace.wrote(false)
      timers.pass(100)
    }
    timers.pass(GAP_MS)
    expect(begun).toEqual([QUIET_MS, QUIET_MS + GAP_MS, QUIET_MS + 2 * GAP_MS, QUIET_MS + 3 * GAP_MS])
  })

  test('writes in reply to answers leave after 1, 2, 4 … 60 s, and at once with a write of the app', () => {
    const { timers, begun, pace } = paced()
    const waits: number[] = []
    for (let answer = 0; answer < 8; answer++) {
      const from = timers.now
      pace.wrote(true)
      timers.pass(MAX_ECHO_MS)
      waits.push(((begun.at(-1) ?? 0) - from) / 1000)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
    timers.pass(GAP_MS)
    pace.wrote(true)
    pace.wrote(false)
    timers.pass(QUIET_MS)
    expect(begun).toHaveLength(9)
    timers.pass(2 * MAX_ECHO_MS)
    const later = timers.now
    pace.wrote(true)
    timers.pass(MAX_ECHO_MS)
    expect(begun.at(-1)).toBe(later + 1000)
  })

  test('twenty requests in a minute make it busy, which is reported', () => {
    const { timers, begun, pace, busy } = paced()
    for (let at = 0; at < 60_000; at += 100) {
      pace.wrote(false)
      timers.pass(100)
    }
    expect(busy()).toBe(1)
    expect(begun.slice(BUSY_AFTER - 1).map((at, index, all) => at - (all[index - 1] ?? at))).toEqual([
      0,
      ...new Array(begun.length - BUSY_AFTER).fill(BUSY_GAP_MS),
    ])
  })

  test('a blocked push begins as soon as it can, and nothing to send is no request', () => {
    const { timers, begun, pace, say } = paced()
    say('later')
    pace.wrote(false)
    timers.pass(60_000)
    expect([begun, timers.waits]).toEqual([[], []])
    say('begun')
    pace.resume()
    expect(begun).toEqual([60_000])
    say('nothing')
    pace.wrote(false)
    timers.pass(GAP_MS)
    say('begun')
    pace.wrote(false)
    timers.pass(QUIET_MS)
    expect(begun).toHaveLength(2)
  })

  test('any writes keep the limits per second and minute, and none waits for ever', () => {
    const step = fc.oneof(
      fc.record({ wrote: fc.boolean() }),
      fc.record({ pass: fc.oneof(fc.nat(50), fc.nat(3000), fc.nat(100_000)) }),
      fc.record({ say: fc.constantFrom('begun' as const, 'later' as const) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), steps => {
        const { timers, begun, pace, say } = paced()
        for (const one of steps) {
          if ('wrote' in one) pace.wrote(one.wrote)
          else if ('pass' in one) timers.pass(one.pass)
          else {
            say(one.say)
            pace.resume()
          }
          // Requests of the last minute, three waits, and no more.
          expect(timers.waits.length).toBeLessThanOrEqual(BUSY_AFTER + 60_000 / BUSY_GAP_MS + 3)
        }
        for (const [index, at] of begun.entries()) {
          expect(at - (begun[index - 1] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(GAP_MS)
          const minute = begun.filter(one => one >= at && one < at + 60_000)
          expect(minute.length).toBeLessThanOrEqual(BUSY_AFTER + 60_000 / BUSY_GAP_MS)
        }
        say('begun')
        pace.resume()
        const before = begun.length
        pace.wrote(true)
        timers.pass(MAX_ECHO_MS + BUSY_GAP_MS)
        expect(begun.length).toBeGreaterThan(before - 1)
        pace.wrote(false)
        const last = begun.length
        timers.pass(BUSY_GAP_MS + QUIET_MS)
        expect(begun.length).toBeGreaterThan(last)
        pace.stop()
        expect(timers.waits).toEqual([])
      }),
    )
  })
})
