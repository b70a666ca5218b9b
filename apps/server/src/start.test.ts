import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, until } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { DEMO_LOGINS } from './first-start.js'
import { deviceOf, logIn, openDevice } from './testing/device.js'
import { workshop } from './testing/run-godwit.js'

let shop: ReturnType<typeof workshop>
beforeEach(() => {
  shop = workshop()
})
afterEach(() => shop.clear())

const admin = (url: string, password: string): Promise<Response> =>
  fetch(`${url}/rc/v1/system/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ login: 'admin', password }),
  })

const passwordIn = (stderr: string): string | undefined => /^Admin login: admin, password: (\S+) /m.exec(stderr)?.[1]

describe('a server that starts', () => {
  test('says where it listens in one plain line, alone on stdout, and is ready', async () => {
    const godwit = shop.run()
    const url = await godwit.listening
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    const { code, stdout } = await godwit.stop()
    expect(stdout).toBe(`godwit listening on ${url}\n`)
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(code).toBe(0)
    expect(existsSync(join(shop.folder, 'data/godwit.sqlite'))).toBe(true)
    expect(existsSync(join(shop.folder, 'data/godwit-visits.sqlite'))).toBe(true)
  })

  test('continues without an error for each line once what reads its log is gone, and still stops in order', async () => {
    const { child, listening } = shop.run({ environment: { SYNC_LOG_REQUESTS: 'true' } })
    const url = await listening
    for (const output of [child.stdout, child.stderr]) output?.destroy()
    for (let count = 0; count < 5; count++) expect((await admin(url, 'wrong')).status).toBe(401)
    expect(await (await fetch(`${url}/metrics`)).text()).not.toContain('godwit_stray_errors_total{')
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  test('makes a password for the admin in a new store, and shows it once', async () => {
    const first = shop.run()
    const url = await first.listening
    const password = passwordIn(first.written().stderr) ?? ''
    expect(password).toMatch(/^[\w-]{24}$/)
    expect((await admin(url, password)).status).toBe(200)
    await first.stop()

    const second = shop.run()
    const again = await second.listening
    expect(passwordIn(second.written().stderr)).toBeUndefined()
    expect((await admin(again, password)).status).toBe(200)
  })

  test('is refused where another one has the SQLite store open, and starts once that was killed', async () => {
    const first = shop.run()
    await first.listening
    const { code, stderr } = await shop.run().ended
    expect([code, stderr]).toEqual([1, expect.stringContaining('Another server has the store')])
    expect(stderr).toContain('SYNC_STORE: cannot open the store')
    first.child.kill('SIGKILL')
    await first.ended
    await shop.run().listening
  })

  test('shows that password before the store has its hash, so that a kill between loses nothing', async () => {
    const godwit = shop.run()
    await godwit.listening
    const { stderr } = godwit.written()
    expect(stderr).toContain('the first admin was created')
    expect(stderr.indexOf('Admin login: admin')).toBeLessThan(stderr.indexOf('the first admin was created'))
    expect(stderr.indexOf('Admin login: admin')).toBeGreaterThanOrEqual(0)
  })

  test('with SYNC_STOP_DELAY still answers after a signal, and says that it is not ready', async () => {
    const godwit = shop.run({ environment: { SYNC_STORE: 'memory:', SYNC_STOP_DELAY: '2' } })
    const url = await godwit.listening
    const ended = godwit.stop()
    await until(async () => (await fetch(`${url}/readyz`)).status === 503)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect((await ended).code).toBe(0)
  })

  test.each([
    ['true', true],
    ['false', false],
  ])('with SYNC_TRUST_PROXY=%s believes a proxy or does not, whatever the file says', async (given, isSecure) => {
    writeFileSync(join(shop.folder, 'godwit.config.mjs'), `export default { trustProxy: ${!isSecure} }`)
    const environment = { SYNC_STORE: 'memory:', SYNC_CONFIG: 'godwit.config.mjs', SYNC_TRUST_PROXY: given }
    const url = await shop.run({ environment }).listening
    const login = await fetch(`${url}/rc/v1/app/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-proto': 'https' },
      body: JSON.stringify({ login: 'ada', password: 'ada' }),
    })
    expect(login.headers.get('set-cookie')?.includes('; Secure')).toBe(isSecure)
  })

  test('lets the demo users log in, and names them', async () => {
    const godwit = shop.run({ environment: { SYNC_STORE: 'memory:' } })
    const url = await godwit.listening
    for (const login of DEMO_LOGINS) expect((await logIn(url, login)).status).toBe(200)
    expect((await logIn(url, 'ada', 'grace')).status).toBe(401)
    expect(godwit.written().stderr).toContain(
      'Demo logins for devices: ada, grace, linus (the password is the login)\n',
    )
  })

  test('names the demo users only where their passwords work', async () => {
    const [sqlite, said] = ['sqlite:demo.sqlite', 'Demo logins for devices: grace, linus (the password is the login)']
    const first = shop.run({ environment: { SYNC_STORE: sqlite, SYNC_ADMIN_PASSWORD: 'a long one of words' } })
    const url = await first.listening
    const { token } = (await (await admin(url, 'a long one of words')).json()) as { token: string }
    const changed = await fetch(`${url}/rc/v1/users/ada`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'x-sync-api-token': token },
      body: JSON.stringify({ attributes: { password: 'another one' } }),
    })
    expect(changed.status).toBe(200)
    await first.stop()
    const again = shop.run({ environment: { SYNC_STORE: sqlite } })
    await again.listening
    expect(again.written().stderr).toContain(said)
    await again.stop()
    writeFileSync(join(shop.folder, 'godwit.config.mjs'), 'export default { authenticate: () => false }')
    const decided = shop.run({ environment: { SYNC_STORE: sqlite, SYNC_CONFIG: 'godwit.config.mjs' } })
    await decided.listening
    expect(decided.written().stderr).not.toContain('Demo logins')
  })

  test('has neither demo users nor demo sources in production', async () => {
    const godwit = shop.run({
      environment: { NODE_ENV: 'production', SYNC_STORE: 'memory:', SYNC_ADMIN_PASSWORD: 'a long one of words' },
    })
    const url = await godwit.listening
    expect((await logIn(url, 'ada')).status).toBe(401)
    expect((await admin(url, 'a long one of words')).status).toBe(200)
    const { stderr } = godwit.written()
    expect(stderr).not.toMatch(/Demo|a long one of words/)
    expect(stderr).toContain('No sources are configured: set SYNC_CONFIG')
    expect(stderr).toContain('new password hashes are easy to guess: set SYNC_PASSWORD_COST')
  })

  test('warns in production of demo logins that a start in development left', async () => {
    const environment = { SYNC_STORE: 'sqlite:left.sqlite', SYNC_ADMIN_PASSWORD: 'a long one of words' }
    const development = shop.run({ environment })
    await development.listening
    await development.stop()
    const production = shop.run({ environment: { ...environment, NODE_ENV: 'production' } })
    const url = await production.listening
    expect(production.written().stderr).toMatch(
      /"logins":\["ada","grace","linus"\].*demo logins from a start in development still work/,
    )
    const { token } = (await (await admin(url, 'a long one of words')).json()) as { token: string }
    for (const login of DEMO_LOGINS)
      await fetch(`${url}/rc/v1/users/${login}`, { method: 'DELETE', headers: { 'x-sync-api-token': token } })
    await production.stop()
    const again = shop.run({ environment: { ...environment, NODE_ENV: 'production' } })
    await again.listening
    expect(again.written().stderr).not.toContain('demo logins')
  })

  test('names a configuration file without sources', async () => {
    writeFileSync(join(shop.folder, 'empty.mjs'), 'export default {}')
    const godwit = shop.run({ environment: { SYNC_STORE: 'memory:', SYNC_CONFIG: 'empty.mjs' } })
    await godwit.listening
    expect(godwit.written().stderr).toMatch(
      /No sources are configured: \S*empty\.mjs has none\. Add one to its sources/,
    )
  })

  test('drains and ends with 0 from its first answer on', async () => {
    const port = await freePort()
    const godwit = shop.run({ environment: { PORT: String(port), SYNC_STORE: 'memory:' } })
    const isUp = () =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await isUp())) await new Promise(resolve => setTimeout(resolve, 5))
    expect((await godwit.stop()).code).toBe(0)
  })

  test('logs JSON, a line per entry', async () => {
    const godwit = shop.run({
      environment: { NODE_ENV: 'production', SYNC_STORE: 'memory:', SYNC_ADMIN_PASSWORD: 'a long one of words' },
    })
    await godwit.listening
    const { stderr } = await godwit.stop()
    for (const line of stderr.trimEnd().split('\n'))
      expect(JSON.parse(line)).toMatchObject({
        level: expect.any(String),
        time: expect.any(String),
        msg: expect.any(String),
      })
  })
})

describe('a restart', () => {
  test('keeps sessions, clients and positions', async () => {
    const first = shop.run()
    const ada = await openDevice(await first.listening, 'ada')
    const { token } = (await (await ada.pull('Visit')).json()) as { token: string }
    expect((await first.stop()).code).toBe(0)

    const second = shop.run()
    const again = deviceOf(await second.listening, ada.session, ada.client)
    const page = (await (await again.pull('Visit', `?token=${encodeURIComponent(token)}`)).json()) as {
      status: string
      more: boolean
      insert?: object
    }
    expect(page).toMatchObject({ status: 'ok', more: false })
  })
})

describe('SIGTERM', () => {
  const slow = `export default ({ defineSource }) => ({ sources: [defineSource({
    name: 'Slow',
    async query() {
      process.stderr.write('ASKED')
      await new Promise(resolve => setTimeout(resolve, 1500))
      return { 1: { done: 'yes' } }
    },
  })] })`

  test('lets a running request finish, and ends with 0', async () => {
    writeFileSync(join(shop.folder, 'godwit.config.js'), slow)
    const godwit = shop.run({ environment: { SYNC_STORE: 'memory:', SYNC_CONFIG: 'godwit.config.js' } })
    const ada = await openDevice(await godwit.listening, 'ada')
    const pulling = ada.pull('Slow')
    while (!godwit.written().stderr.includes('ASKED') && godwit.child.stderr) await once(godwit.child.stderr, 'data')
    const stopped = Date.now()
    const ended = godwit.stop()
    const page = await pulling
    expect(page.status).toBe(200)
    expect(await page.json()).toMatchObject({ insert: { 1: { done: 'yes' } } })
    expect((await ended).code).toBe(0)
    expect(Date.now() - stopped).toBeLessThan(10_000)
  })
})

describe('the address of the backend', () => {
  const password = 'a long admin password'
  const set = async (url: string, adapter_url: string): Promise<number> => {
    const { token } = (await (await admin(url, password)).json()) as { token: string }
    const headers = { 'content-type': 'application/json', 'X-Sync-API-TOKEN': token }
    const body = JSON.stringify({ adapter_url })
    return (await fetch(`${url}/rc/v1/system/appserver`, { method: 'POST', headers, body })).status
  }
  const environment = { SYNC_ADMIN_PASSWORD: password, SYNC_STORE: 'memory:', SYNC_CONFIG: 'godwit.config.mjs' }
  beforeEach(() => {
    const config = "export default { backend: { secret: 'sixteen characters' } }"
    writeFileSync(join(shop.folder, 'godwit.config.mjs'), config)
  })

  test.each([
    ['may be private in development', {}, 200],
    ['may not be private in production', { NODE_ENV: 'production' }, 422],
    [
      'may be private in production where that is allowed',
      { NODE_ENV: 'production', SYNC_ALLOW_PRIVATE_BACKENDS: 'true' },
      200,
    ],
  ])('%s', async (_, more, status) => {
    const url = await shop.run({ environment: { ...environment, ...more } }).listening
    expect(await set(url, 'http://127.0.0.1:9')).toBe(status)
    expect(await set(url, 'http://10.0.0.1')).toBe(status)
    expect(await set(url, 'http://169.254.169.254')).toBe(422)
  })
})
