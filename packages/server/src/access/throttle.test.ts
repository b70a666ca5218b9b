import { isSyncError, SyncError } from '@godwit/protocol'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ADMIN, EDGES, openServer, type TestServer } from '../testing/open-server.js'
import { createPasswords, MAX_WAITING } from './passwords.js'
import { type Attempt, FREE, LONGEST_WAIT, LoginThrottle, MAX_REMEMBERED } from './throttle.js'

const wrong = async (): Promise<never> => {
  throw new SyncError('invalid_credentials', 'wrong')
}

/** 'let in', 'failed', or the seconds to wait. */
async function outcome(attempt: Promise<unknown>): Promise<string | number> {
  try {
    await attempt
    return 'let in'
  } catch (error) {
    if (!isSyncError(error)) throw error
    return error.code === 'too_many_attempts' ? Number(error.details['retryAfter']) : 'failed'
  }
}

const logIn = (on: TestServer, path: string, login: string, password: string): Promise<Response> =>
  on.call('POST', path, { body: { login, password } })

describe.each(EDGES)('too many failures, %s', (_, open) => {
  test.each(['/rc/v1/system/login', '/rc/v1/app/login'])(
    'are answered with 429 and Retry-After at %s, whether the login exists or not [behaviour.problems.too-many-attempts]',
    async path => {
      const on = await open()
      await on.device('ada')
      const login = path.includes('system') ? ADMIN.login : 'ada'
      for (const name of [login, 'nobody']) {
        for (let n = 0; n < FREE.pair; n++) expect((await logIn(on, path, name, 'wrong')).status).toBe(401)
      }
      const answers = await Promise.all([login, 'nobody'].map(name => logIn(on, path, name, ADMIN.password)))
      const said = answers.map(({ status, headers }) => [status, headers.get('retry-after')])
      expect(said).toEqual([
        [429, '1'],
        [429, '1'],
      ])
      expect(await answers[0]?.text()).toBe(await answers[1]?.text())
      await on.server.close()
    },
  )

  test('are never made of successes [behaviour.problems.too-many-attempts.failures-only]', async () => {
    const on = await open()
    for (let n = 0; n < 3 * FREE.pair; n++) {
      expect((await logIn(on, '/rc/v1/system/login', ADMIN.login, ADMIN.password)).status).toBe(200)
      if (n % 2) expect((await logIn(on, '/rc/v1/system/login', ADMIN.login, 'wrong')).status).toBe(401)
    }
    await on.server.close()
  })
})

test('after the wait the right password is let in, and all is forgotten', async () => {
  let now = 1_700_000_000_000
  const on = openServer({ clock: () => now })
  const path = '/rc/v1/system/login'
  for (let n = 0; n < FREE.pair; n++) await logIn(on, path, ADMIN.login, 'wrong')
  expect((await logIn(on, path, ADMIN.login, ADMIN.password)).status).toBe(429)
  now += 1001
  expect((await logIn(on, path, ADMIN.login, ADMIN.password)).status).toBe(200)
  for (let n = 0; n < FREE.pair; n++) expect((await logIn(on, path, ADMIN.login, 'wrong')).status).toBe(401)
})

test('one address that tries many logins waits, another does not', async () => {
  const throttle = new LoginThrottle(() => 0)
  const from = (address: string, n: number): Attempt => ({ login: `login ${n}`, address })
  for (let n = 0; n < FREE.address; n++) expect(await outcome(throttle.attempt(from('a', n), wrong))).toBe('failed')
  expect(await outcome(throttle.attempt(from('a', -1), async () => {}))).toBe(1)
  expect(await outcome(throttle.attempt(from('b', -1), async () => {}))).toBe('let in')
})

test('however somebody guesses, the number of guesses is bounded by the time it takes, and so is the memory', async () => {
  const step = fc.record({ pass: fc.integer({ min: 0, max: 3_600_000 }), tries: fc.integer({ min: 1, max: 30 }) })
  const runs = fc.array(step, { minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(runs, async steps => {
      let now = 0
      let guesses = 0
      const throttle = new LoginThrottle(() => now)
      for (const { pass, tries } of steps) {
        now += pass
        for (let n = 0; n < tries; n++) {
          if ((await outcome(throttle.attempt({ login: 'ada', address: 'a' }, wrong))) === 'failed') guesses++
        }
        // The free ones again whenever the longest wait passed, else one after each wait: within a step no time passes.
        const forgotten = Math.floor(now / LONGEST_WAIT)
        expect(guesses).toBeLessThanOrEqual(FREE.pair * (1 + forgotten) + steps.length)
      }
    }),
    { numRuns: 200 },
  )
})

test('each failure after the free ones doubles the wait, up to a quarter of an hour', async () => {
  let now = 0
  const throttle = new LoginThrottle(() => now)
  const attempt = { login: 'ada', address: 'a' }
  for (let n = 0; n < FREE.pair; n++) await outcome(throttle.attempt(attempt, wrong))
  const waits: (string | number)[] = []
  for (let n = 0; n < 12; n++) {
    const wait = await outcome(throttle.attempt(attempt, wrong))
    waits.push(wait)
    now += 1000 * Number(wait)
    expect(await outcome(throttle.attempt(attempt, wrong))).toBe('failed')
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
})

test('memory is bounded, and who is remembered longest goes first', async () => {
  const throttle = new LoginThrottle(() => 0)
  const many = Array.from({ length: MAX_REMEMBERED + 500 }, (_, n) => ({ login: `l${n}`, address: `a${n}` }))
  for (const attempt of many) await outcome(throttle.attempt(attempt, wrong))
  expect(throttle.size).toBe(MAX_REMEMBERED)
})

test('a flood is hashed only as far as it may fail, and does not wait in an endless line', async () => {
  const passwords = createPasswords(16)
  const throttle = new LoginThrottle(() => 0)
  let hashed = 0
  const guess = (): Promise<never> =>
    throttle.attempt({ login: 'ada', address: 'a' }, async check => {
      await passwords.verify('wrong', undefined, () => {
        check()
        hashed++
      })
      return wrong()
    })
  const said = await Promise.all(Array.from({ length: 1000 }, () => outcome(guess())))
  // Two run at once, and each hands its turn on just before its failure counts.
  expect(hashed).toBeLessThanOrEqual(FREE.pair + 2)
  expect(said.filter(one => one === 1).length).toBeGreaterThanOrEqual(1000 - MAX_WAITING)
})
