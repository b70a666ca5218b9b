import { isSyncError, SyncError } from '@godwit/protocol'
import { openMemoryStore } from '@godwit/store'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ADMIN, EDGES, openListening, openServer, type TestServer } from '../../testing/open-server.js'
import { type Attempt, FREE_ATTEMPTS, LoginThrottle, MAX_LOGIN_WAIT, MAX_WAIT, RATE } from './login-throttle.js'
import { createPasswords } from './passwords.js'

const throttleOf = (clock: () => number = () => 0) => new LoginThrottle({ store: openMemoryStore({ clock }), clock })

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
    'are answered with 429 and Retry-After at %s, whether the login exists or not',
    async path => {
      const on = await open()
      await on.device('ada')
      const login = path.includes('system') ? ADMIN.login : 'ada'
      for (const name of [login, 'nobody']) {
        for (let n = 0; n < FREE_ATTEMPTS.pair; n++) expect((await logIn(on, path, name, 'wrong')).status).toBe(401)
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

  test('do not include successes', async () => {
    const on = await open()
    for (let n = 0; n < 3 * FREE_ATTEMPTS.pair; n++) {
      expect((await logIn(on, '/rc/v1/system/login', ADMIN.login, ADMIN.password)).status).toBe(200)
      if (n % 2) expect((await logIn(on, '/rc/v1/system/login', ADMIN.login, 'wrong')).status).toBe(401)
    }
    await on.server.close()
  })
})

test('after the wait the right password is accepted, and the count is reset', async () => {
  let now = 1_700_000_000_000
  const on = openServer({ clock: () => now })
  const path = '/rc/v1/system/login'
  for (let n = 0; n < FREE_ATTEMPTS.pair; n++) await logIn(on, path, ADMIN.login, 'wrong')
  expect((await logIn(on, path, ADMIN.login, ADMIN.password)).status).toBe(429)
  now += 1001
  expect((await logIn(on, path, ADMIN.login, ADMIN.password)).status).toBe(200)
  for (let n = 0; n < FREE_ATTEMPTS.pair; n++) expect((await logIn(on, path, ADMIN.login, 'wrong')).status).toBe(401)
})

test('one address that tries many logins waits, another does not', async () => {
  const throttle = throttleOf()
  const from = (address: string, n: number): Attempt => ({ login: `login ${n}`, address })
  for (let n = 0; n < FREE_ATTEMPTS.address; n++)
    expect(await outcome(throttle.attempt(from('a', n), 'device', wrong))).toBe('failed')
  expect(await outcome(throttle.attempt(from('a', -1), 'device', async () => {}))).toBe(1)
  expect(await outcome(throttle.attempt(from('b', -1), 'device', async () => {}))).toBe('let in')
})

test('any pattern of guesses is bounded in rate and in memory', async () => {
  const step = fc.record({ pass: fc.integer({ min: 0, max: 3_600_000 }), tries: fc.integer({ min: 1, max: 30 }) })
  const runs = fc.array(step, { minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(runs, async steps => {
      let now = 0
      let guesses = 0
      const throttle = throttleOf(() => now)
      for (const { pass, tries } of steps) {
        now += pass
        for (let n = 0; n < tries; n++) {
          if ((await outcome(throttle.attempt({ login: 'ada', address: 'a' }, 'device', wrong))) === 'failed') guesses++
        }
        // The free ones again whenever the longest wait passed, else one after each wait: within a step no time passes.
        const forgotten = Math.floor(now / MAX_WAIT)
        expect(guesses).toBeLessThanOrEqual(FREE_ATTEMPTS.pair * (1 + forgotten) + steps.length)
      }
    }),
    { numRuns: 200 },
  )
})

test('each failure after the free ones doubles the wait, up to 15 minutes', async () => {
  let now = 0
  const throttle = throttleOf(() => now)
  const attempt = { login: 'ada', address: 'a' }
  for (let n = 0; n < FREE_ATTEMPTS.pair; n++) await outcome(throttle.attempt(attempt, 'device', wrong))
  const waits: (string | number)[] = []
  for (let n = 0; n < 12; n++) {
    const wait = await outcome(throttle.attempt(attempt, 'device', wrong))
    waits.push(wait)
    now += 1000 * Number(wait)
    expect(await outcome(throttle.attempt(attempt, 'device', wrong))).toBe('failed')
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
})

test('a flood is hashed only up to its limit, and waits in a bounded queue', async () => {
  const passwords = createPasswords(16)
  const throttle = throttleOf()
  let hashed = 0
  const guess = (): Promise<never> =>
    throttle.attempt({ login: 'ada', address: 'a' }, 'device', async () => {
      hashed++
      await passwords.verify('wrong', undefined)
      return wrong()
    })
  const said = await Promise.all(Array.from({ length: 1000 }, () => outcome(guess())))
  // Two run at once, and the second may begin before the failure of the first counts.
  expect(hashed).toBeLessThanOrEqual(FREE_ATTEMPTS.pair + 1)
  expect(said.filter(one => one === 'failed')).toHaveLength(hashed)
})

test('failures from addresses of one /64, with any port and spelling, count together', async () => {
  const spellings = [
    ['2001:db8:0:1::1', '2001:db8:0:1:ffff::2', '2001:DB8::1:0:0:0:3', '[2001:db8:0:1::4]:443', '2001:db8:0:1::5%eth0'],
    ['192.0.2.1', '192.0.2.1:1024', '::ffff:192.0.2.1', '::FFFF:C000:201', '[::ffff:192.0.2.1]:1'],
  ]
  for (const [first = '', ...others] of spellings) {
    const throttle = throttleOf()
    for (const address of [first, ...others]) {
      expect(await outcome(throttle.attempt({ login: 'ada', address }, 'device', wrong))).toBe('failed')
    }
    for (const address of [first, ...others]) {
      expect(await outcome(throttle.attempt({ login: 'ada', address }, 'device', wrong))).toBe(1)
    }
    expect(await outcome(throttle.attempt({ login: 'ada', address: '2001:db8:0:2::1' }, 'device', wrong))).toBe(
      'failed',
    )
  }
})

test('a login that fails from many addresses is slowed down, but not where it succeeded before', async () => {
  let now = 0
  const throttle = throttleOf(() => now)
  const at = (n: number): Attempt => ({ login: 'ada', address: `10.0.${n >> 8}.${n & 255}` })
  const home = { login: 'ada', address: '192.0.2.1' }
  expect(await outcome(throttle.attempt(home, 'device', async () => {}))).toBe('let in')
  for (let n = 0; n < FREE_ATTEMPTS.login; n++)
    expect(await outcome(throttle.attempt(at(n), 'device', wrong))).toBe('failed')
  const waits: unknown[] = []
  for (let n = 0; n < 6; n++) {
    const wait = await outcome(throttle.attempt(at(1000 + n), 'device', wrong))
    waits.push(wait)
    now += 1000 * Number(wait)
    expect(await outcome(throttle.attempt(at(1000 + n), 'device', wrong))).toBe('failed')
  }
  expect(waits).toEqual([1, 2, 4, 8, MAX_LOGIN_WAIT / 1000, MAX_LOGIN_WAIT / 1000])
  expect(await outcome(throttle.attempt(home, 'device', async () => {}))).toBe('let in')
  expect(await outcome(throttle.attempt({ ...at(2000), login: 'grace' }, 'device', wrong))).toBe('failed')
})

test('spellings that a backend may take for one login are slowed down together', async () => {
  const throttle = throttleOf()
  const spellings = ['ada', 'ADA', 'Ada ', '\uFF41da']
  const at = (n: number) => ({ login: String(spellings[n % 4]), address: `10.0.${n >> 8}.${n & 255}` })
  for (let n = 0; n < FREE_ATTEMPTS.login; n++)
    expect(await outcome(throttle.attempt(at(n), 'backend', wrong))).toBe('failed')
  for (let n = 1000; n < 1004; n++) expect(await outcome(throttle.attempt(at(n), 'backend', wrong))).toBe(1)
})

test('one login has a limit of attempts per minute from one address, right or wrong', async () => {
  let now = 1_700_000_000_000
  now -= now % 60_000
  const throttle = throttleOf(() => now)
  const attempt = (login: string) => outcome(throttle.attempt({ login, address: 'a' }, 'device', async () => {}))
  for (let n = 0; n < RATE; n++) expect(await attempt('ada')).toBe('let in')
  now += 10_000
  expect([await attempt('ada'), await attempt('grace')]).toEqual([50, 'let in'])
  now += 50_000
  expect(await attempt('ada')).toBe('let in')
})

test('processes of one store count together', async () => {
  const store = openMemoryStore({ clock: () => 0 })
  const [one, other] = [0, 1].map(() => new LoginThrottle({ store, clock: () => 0 }))
  const attempt = { login: 'ada', address: 'a' }
  for (let n = 0; n < FREE_ATTEMPTS.pair; n++)
    await outcome((n % 2 ? one : other)?.attempt(attempt, 'device', wrong) as never)
  expect(await outcome(one?.attempt(attempt, 'api', wrong) as never)).toBe(1)
})

test('a clock that goes back makes no login wait', async () => {
  let now = 1_700_000_000_000
  const throttle = throttleOf(() => now)
  const attempt = { login: 'ada', address: 'a' }
  for (let n = 0; n < FREE_ATTEMPTS.pair + 8; n++) {
    await outcome(throttle.attempt(attempt, 'device', wrong))
    now += MAX_WAIT / 2
  }
  now -= 86_400_000
  expect(await outcome(throttle.attempt(attempt, 'device', async () => {}))).toBe('let in')
})

test('120 logins of one user at once leave places for others, and for the admin', async () => {
  const on = openServer({ limits: { passwordCost: 1024 } })
  await on.device('ada')
  await on.device('grace')
  const device = (login: string) => logIn(on, '/rc/v1/app/login', login, 'secret').then(({ status }) => status)
  const flood = Array.from({ length: 120 }, () => device('ada'))
  const admin = logIn(on, '/rc/v1/system/login', ADMIN.login, ADMIN.password).then(({ status }) => status)
  expect(await Promise.all([device('grace'), admin])).toEqual([200, 200])
  const refused = (await Promise.all(flood)).filter(status => status === 429)
  expect(refused.length).toBeGreaterThanOrEqual(120 - RATE)
})

test('another login has the second turn among the waiting, however many of one login came before', async () => {
  const throttle = throttleOf()
  const begun: string[] = []
  const places: (() => void)[] = []
  const gated = (login: string): Promise<string | number> =>
    outcome(
      throttle.attempt({ login, address: 'a' }, 'device', () => {
        begun.push(login)
        return new Promise<void>(resolve => places.push(resolve))
      }),
    )
  const flood = Array.from({ length: 50 }, () => gated('ada'))
  const grace = gated('grace')
  const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
  await turn()
  expect(begun).toEqual(['ada', 'ada'])
  for (let ended = 0; ended < begun.length; ended++) {
    places[ended]?.()
    await turn()
  }
  expect(begun).toEqual(['ada', 'ada', 'ada', 'grace', 'ada', 'ada', 'ada'])
  expect(await grace).toBe('let in')
  expect((await Promise.all(flood)).filter(one => one === 1)).toHaveLength(50 - 6)
})

test('a device login on the route of API users counts as a failure, and clears no failures', async () => {
  const on = openServer({ clock: () => 1_700_000_000_000 })
  await on.device('ada')
  const path = '/rc/v1/system/login'
  for (let n = 0; n < FREE_ATTEMPTS.pair; n++) {
    expect((await logIn(on, path, 'ada', n % 2 ? 'secret' : 'wrong')).status).toBe(n % 2 ? 403 : 401)
  }
  expect((await logIn(on, path, 'ada', 'secret')).status).toBe(429)
})

test('behind a proxy a caller cannot pose as another address by a port or its spelling', async () => {
  const { url, server } = await openListening({ trustProxy: true })
  const attempt = (address: string): Promise<number> =>
    fetch(`${url}/rc/v1/system/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.1, ${address}` },
      body: JSON.stringify({ login: ADMIN.login, password: 'wrong' }),
    }).then(({ status }) => status)
  for (let n = 0; n < FREE_ATTEMPTS.pair; n++) expect(await attempt(`192.0.2.1:${1024 + n}`)).toBe(401)
  expect(await attempt('::ffff:192.0.2.1')).toBe(429)
  expect(await attempt('192.0.2.2')).toBe(401)
  await server.close()
})
