import { randomBytes, scryptSync } from 'node:crypto'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { failure, json, openServer, type TestServer } from '../../testing/open-server.js'
import { createPasswords } from '../access/passwords.js'

let on: TestServer
let headers: Record<string, string>
beforeAll(async () => {
  on = openServer()
  headers = await on.as()
})

const importUsers = (users: unknown): Promise<Response> =>
  on.call('POST', '/rc/v1/users/import', { headers, body: { users } })
const logIn = async (login: string, password: string): Promise<number> =>
  (await on.call('POST', '/rc/v1/app/login', { body: { login, password } })).status

describe('many users', () => {
  test('are created in one request, and existing ones are listed and unchanged', async () => {
    const first = { attributes: { login: 'ada', password: 'x', team: 'north' } }
    expect(await json(await importUsers([first]))).toEqual({ created: ['ada'], existing: [] })
    const users = [
      { attributes: { login: 'grace', password: 'g' } },
      { attributes: { login: 'ada', password: 'another', team: 'south' } },
      { attributes: { login: 'robot', password: 'r' }, role: 'plugin' },
    ]
    expect(await json(await importUsers(users))).toEqual({ created: ['grace', 'robot'], existing: ['ada'] })
    expect([await logIn('ada', 'x'), await logIn('ada', 'another'), await logIn('grace', 'g')]).toEqual([200, 401, 200])
    expect(await json(await on.call('GET', '/rc/v1/users/robot', { headers }))).toMatchObject({ role: 'plugin' })
    expect(await json(await importUsers([]))).toEqual({ created: [], existing: [] })
  })

  test('are all valid, or none is created', async () => {
    const good = { attributes: { login: 'edsger', password: 'x' } }
    const bad = [
      { attributes: { login: '', password: 'x' } },
      { attributes: { login: 'barbara' } },
      { attributes: { login: 'barbara', password: 'x' }, password_hash: 'x' },
      { attributes: { login: 'barbara' }, password_hash: 'plain' },
      { attributes: { login: 'edsger', password: 'y' } },
      { attributes: { login: 'barbara', password: 'x' }, role: 'king' },
    ]
    for (const one of bad) {
      const answer = await json<{ status: number; errors: { path: string }[] }>(await importUsers([good, one]))
      expect(answer.status).toBe(422)
      expect(answer.errors[0]?.path).toMatch(/^\/users\/1(\/|$)/)
    }
    expect(await failure(await on.call('GET', '/rc/v1/users/edsger', { headers }))).toBe('404 user_not_found')
  })

  test('are checked for existence before their passwords are hashed', async () => {
    const passwords = createPasswords(16)
    let hashed = 0
    const hashing = (password: string) => {
      hashed++
      return passwords.hash(password)
    }
    const counted = { ...passwords, hash: (password: string) => hashing(password) }
    const { createUsers } = await import('./create-users.js')
    const { testEngine } = await import('../../testing/engine.fixture.js')
    const { PluginBackend } = await import('../../backend/sources/plugin-backend.js')
    const { AddressGuard } = await import('../../backend/sources/address-guard.js')
    const tested = await testEngine([])
    const guard = new AddressGuard({ allowPrivate: false })
    const backend = new PluginBackend({ ...tested, options: undefined, guard })
    const engine = { ...tested, passwords: counted, backend, acceptedLogins: { passwords: true, tokens: [] } }
    const users = Array.from({ length: 20 }, (_, n) => ({ attributes: { login: `user ${n}`, password: 'x' } }))
    expect((await createUsers(engine, { users })).created.length).toBe(20)
    expect((await createUsers(engine, { users })).existing.length).toBe(20)
    expect(hashed).toBe(20)
  })
})

describe('a password that comes as a hash', () => {
  const salt = randomBytes(16)
  const bare = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  const keyOf = (n: number, r: number, p: number) => scryptSync('hunter2', salt, 32, { N: n, r, p })

  test.each([
    ['of the server', `scrypt$32$8$5$${salt.toString('base64url')}$${keyOf(32, 8, 5).toString('base64url')}`],
    ['of other libraries', `$scrypt$ln=6,r=4,p=2$${bare(salt)}$${bare(keyOf(64, 4, 2))}`],
  ])('of the form %s lets the user log in', async (form, hash) => {
    const login = `hashed ${form}`
    expect((await importUsers([{ attributes: { login }, password_hash: hash }])).status).toBe(200)
    expect([await logIn(login, 'hunter2'), await logIn(login, 'hunter3')]).toEqual([200, 401])
  })

  test.each([
    'hunter2',
    '$2b$12$abcdefghijklmnopqrstuv',
    'scrypt$1048576$8$5$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'scrypt$1000$8$5$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'scrypt$16$8$1e9$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'scrypt$16$-8$5$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'scrypt$16$8$5$AAAAAAAAAAAAAAAAAAAAAA$AAAA',
    'scrypt$16$8$5$$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '$scrypt$ln=99,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ])('is refused as %s', async hash => {
    const answer = await on.call('POST', '/rc/v1/users', {
      headers,
      body: { attributes: { login: 'nobody' }, password_hash: hash },
    })
    expect(await failure(answer)).toBe('422 body_invalid')
  })
})
