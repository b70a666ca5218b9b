import { AdminClient } from '@godwit/admin-client'
import { redisIsThere, startRedis } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { workshop } from '../testing/run-godwit.js'

const LOST = 'a password of tests'
const NEW = 'another password of tests'
jest.setTimeout(60_000)

let shop: ReturnType<typeof workshop>
beforeEach(() => {
  shop = workshop()
})
afterEach(() => shop.clear())

const setPassword = (words: readonly string[], environment = {}, input = `${NEW}\n`) =>
  shop.run({ words: ['admin', 'password', '--password-stdin', ...words], environment, input }).ended

async function expectWayBack(store: string | undefined): Promise<void> {
  const environment = { SYNC_STORE: store, SYNC_LOG_LEVEL: 'silent' }
  const url = await shop.run({ environment: { ...environment, SYNC_ADMIN_PASSWORD: LOST } }).listening
  const before = await AdminClient.login({ url, login: 'admin', password: LOST })
  expect(await setPassword([], environment)).toEqual({
    code: 0,
    stderr: '',
    stdout: 'The password of admin is set. Its sessions and tokens have ended.\n',
  })
  await expect(before.users.list()).rejects.toMatchObject({ code: 'token_invalid' })
  await expect(AdminClient.login({ url, login: 'admin', password: LOST })).rejects.toMatchObject({
    code: 'invalid_credentials',
  })
  const again = await AdminClient.login({ url, login: 'admin', password: NEW })
  expect(await again.users.list()).toContain('ada')
  expect(await setPassword(['ada'], environment)).toMatchObject({
    code: 1,
    stderr: 'godwit: expected the login of an admin in this store, got "ada".\n',
  })
}

describe('godwit admin password', () => {
  test('is a way back to a lost admin, beside a server that runs on SQLite', () => expectWayBack(undefined))

  const testOnRedis = redisIsThere() ? test : test.skip
  testOnRedis('is a way back to a lost admin, beside a server that runs on Redis', async () => {
    const { url, stop } = await startRedis()
    try {
      await expectWayBack(url)
      await shop.clear()
    } finally {
      await stop()
    }
  })

  test('makes no store, and takes no weak password', async () => {
    expect(await setPassword([], { SYNC_STORE: 'sqlite:data/none.sqlite' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('got data/none.sqlite, which does not exist.'),
    })
    expect(await setPassword([], { SYNC_STORE: 'memory:' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('got one in memory.'),
    })
    const godwit = shop.run({ environment: { SYNC_ADMIN_PASSWORD: LOST } })
    await godwit.listening
    await godwit.stop()
    expect(await setPassword([], {}, 'short\n')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('expected at least 12 characters, got 5.'),
    })
  })
})
