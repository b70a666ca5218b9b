import { describe, expect, test } from '@jest/globals'
import { EVERYTHING } from '../query/query-tree.js'
import type { Records } from '../records/records.js'
import { automaticDevices } from '../testing/automatic-devices.fixture.js'
import { FakeServer } from '../testing/fake-server.js'

const { open, settled } = automaticDevices()

const END = Date.parse('2026-01-01T00:10:00Z')

interface Place {
  readonly server?: FakeServer
  readonly directory?: string
}

/** A device whose app returns these tokens in order, the last one again and again. */
async function signing(given: (string | undefined | Error)[], { server = new FakeServer(), ...place }: Place = {}) {
  const time = { now: END - 600_000 }
  server.sessionEnd = new Date(END).toISOString()
  let calls = 0
  const credentials = async () => {
    calls++
    const token = given.length > 1 ? given.shift() : given[0]
    if (token instanceof Error) throw token
    return token
  }
  const device = await open({ server, clock: () => ++time.now, credentials, ...place })
  return { ...device, server, time, calls: () => calls, tokens: given }
}

const visits = (records: (name: string) => Records) => records('Visit').count(EVERYTHING)
const namesOn = (server: FakeServer) =>
  Object.values(server.live('Visit'))
    .map(({ name }) => name)
    .sort()

describe('a device with credentials', () => {
  test('exchanges a token at login, and is a guest before', async () => {
    const { sdk, server, calls } = await signing(['ada 1'])
    expect([sdk.status().signIn, calls()]).toEqual(['guest', 0])
    await sdk.login()
    expect([server.exchanged, sdk.userName, sdk.status().signIn]).toEqual([['ada 1'], 'ada', 'signed_in'])
  })

  test('renews its session before it ends, with the token that the app has by then', async () => {
    const { sdk, server, time } = await signing(['ada 1', 'ada 1', 'ada 2'])
    await sdk.login()
    await sdk.sync()
    time.now = END - 89_000
    await sdk.sync()
    expect(server.exchanged).toEqual(['ada 1'])
    server.sessionEnd = new Date(END + 600_000).toISOString()
    await sdk.sync()
    await sdk.sync()
    expect(server.exchanged).toEqual(['ada 1', 'ada 2'])
  })

  test('renews a session that the server has ended, and the sync goes on', async () => {
    const { sdk, server, records } = await signing(['ada 1', 'ada 2'])
    await sdk.login()
    await sdk.sync()
    records('Visit').insert({ name: 'Paris' })
    server.sessions.clear()
    expect((await sdk.sync()).sent).toBe(1)
    expect([server.exchanged, sdk.status().signIn]).toEqual([['ada 1', 'ada 2'], 'signed_in'])
  })

  test('keeps everything while no user signs in, and reports what waits', async () => {
    const { sdk, server, records, calls } = await signing(['ada 1', undefined])
    await sdk.login()
    await sdk.sync()
    records('Visit').insert({ name: 'Paris' })
    server.sessions.clear()
    await expect(sdk.sync()).rejects.toMatchObject({ code: 'logged_out', details: { login: 'ada', waiting: 1 } })
    records('Visit').insert({ name: 'Rome' })
    expect(sdk.status()).toMatchObject({ signIn: 'signed_out', userName: 'ada', waiting: 2 })
    expect(visits(records)).toBe(2)
    const before = calls()
    records('Visit').insert({ name: 'Oslo' })
    expect(calls()).toBe(before)
    await sdk.login({ token: 'ada 3' })
    await sdk.sync()
    expect([sdk.status().waiting, namesOn(server)]).toEqual([0, ['Oslo', 'Paris', 'Rome']])
  })

  test('keeps its session while credentials fail or the server refuses them', async () => {
    const { sdk, server, time } = await signing(['ada 1', new Error('no network'), 'ada 2', 'ada 3'])
    server.refusedTokens.add('ada 2')
    await sdk.login()
    time.now = END - 1000
    await sdk.sync()
    await sdk.sync()
    expect([sdk.status().signIn, server.exchanged]).toEqual(['signed_in', ['ada 1', 'ada 2']])
    await sdk.sync()
    expect(server.exchanged.at(-1)).toBe('ada 3')
  })

  test('never changes the user by a renewal', async () => {
    const { sdk, server, records } = await signing(['ada 1', 'grace 1'])
    await sdk.login()
    records('Visit').insert({ name: 'Paris' })
    await sdk.sync()
    server.sessions.clear()
    await expect(sdk.sync()).rejects.toMatchObject({ code: 'logged_out' })
    expect([sdk.userName, visits(records)]).toEqual(['ada', 1])
    await expect(sdk.login({ token: 'grace 2', renew: true })).rejects.toMatchObject({ code: 'user_changed' })
  })

  test('does not sign in again after a logout', async () => {
    const { sdk, server } = await signing(['ada 1', 'ada 2'])
    await sdk.login()
    await sdk.logout()
    await expect(sdk.sync()).rejects.toMatchObject({ code: 'logged_out' })
    expect([server.exchanged, sdk.status().signIn]).toEqual([['ada 1'], 'logged_out'])
  })

  test('renews a session that ended while the app was closed', async () => {
    const first = await signing(['ada 1', undefined])
    await first.sdk.login()
    first.server.sessions.clear()
    await expect(first.sdk.sync()).rejects.toMatchObject({ code: 'logged_out' })
    await first.sdk.close()
    const { server, directory } = first
    const second = await signing(['ada 2'], { server, directory })
    await settled()
    expect([second.sdk.status().signIn, server.exchanged]).toEqual(['signed_in', ['ada 1', 'ada 2']])
  })
})

test('without credentials, the app learns when a token is needed, and passes one', async () => {
  const server = new FakeServer()
  const { sdk, heard } = await open({ server })
  await expect(sdk.login()).rejects.toMatchObject({ code: 'value_not_allowed' })
  server.sessionEnd = new Date(Date.now() + 30_000).toISOString()
  await sdk.login({ token: 'ada 1' })
  await sdk.sync()
  expect(heard).toContainEqual({ kind: 'credentials' })
  server.sessions.clear()
  await sdk.login({ token: 'ada 2', renew: true })
  expect((await sdk.sync()).stopped).toBe(false)
})

test('the login of another user fails with whose changes wait, and how many', async () => {
  const { sdk, records } = await open()
  await sdk.login({ token: 'ada 1' })
  records('Visit').insert({ name: 'Paris' })
  await expect(sdk.login({ token: 'grace 1' })).rejects.toMatchObject({
    code: 'unsent_changes',
    details: { login: 'ada', count: 1 },
  })
  expect([sdk.userName, visits(records)]).toEqual(['ada', 1])
  await sdk.login({ token: 'grace 1', discard: true })
  expect([sdk.userName, visits(records)]).toEqual(['grace', 0])
})

describe('a guest', () => {
  test('writes before any login, and the first user adopts the rows', async () => {
    const { sdk, server, records } = await open()
    server.write('Visit', { 7: { name: 'Oslo' } })
    records('Visit').insert({ name: 'Paris' })
    expect(sdk.status()).toMatchObject({ signIn: 'guest', waiting: 1 })
    await expect(sdk.sync()).rejects.toMatchObject({ code: 'logged_out', details: {} })
    await sdk.login({ token: 'ada 1' })
    expect((await sdk.sync()).sent).toBe(1)
    expect([namesOn(server), visits(records), sdk.status().waiting]).toEqual([['Oslo', 'Paris'], 2, 0])
  })

  test('whose row conflicts with one of the user keeps the others, and learns of the refusal', async () => {
    const server = new FakeServer()
    server.write('Visit', { 7: { name: 'Paris' } })
    server.decide = mutation => (JSON.stringify(mutation).includes('Paris') ? { status: 'conflict' } : {})
    // Keys of changes are derived from the time, since the random numbers of these devices repeat.
    let now = END
    const { sdk, records } = await open({ server, clock: () => ++now })
    records('Visit').insert({ name: 'Paris' })
    records('Visit').insert({ name: 'Rome' })
    await sdk.login({ token: 'ada 1' })
    await sdk.sync()
    expect(namesOn(server)).toEqual(['Paris', 'Rome'])
    expect([sdk.refused('Visit').length, visits(records), sdk.status().waiting]).toEqual([1, 2, 0])
  })

  test('whose rows are not adopted leaves nothing behind', async () => {
    const { sdk, server, records } = await open()
    records('Visit').insert({ name: 'Paris' })
    await sdk.login({ token: 'ada 1', adopt: false })
    await sdk.sync()
    expect([visits(records), server.live('Visit'), sdk.status().waiting]).toEqual([0, {}, 0])
  })

  test('whose login is refused stays a guest with its rows', async () => {
    const server = new FakeServer()
    server.refusedTokens.add('ada 1')
    const { sdk, records } = await open({ server })
    records('Visit').insert({ name: 'Paris' })
    await expect(sdk.login({ token: 'ada 1', adopt: false })).rejects.toMatchObject({ code: 'token_invalid' })
    expect([sdk.status().signIn, visits(records)]).toEqual(['guest', 1])
  })
})
