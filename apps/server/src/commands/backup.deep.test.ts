import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AdminClient } from '@godwit/admin-client'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { workshop } from '../testing/run-godwit.js'

const PASSWORD = 'a password of tests'
let shop: ReturnType<typeof workshop>
beforeEach(() => {
  shop = workshop()
})
afterEach(() => shop.clear())

const serve = () => shop.run({ environment: { SYNC_ADMIN_PASSWORD: PASSWORD, SYNC_LOG_LEVEL: 'silent' } })
const godwit = (words: string, environment = {}) => shop.run({ words: words.split(' '), environment }).ended

test('a backup of a running server is restored once the server is stopped', async () => {
  const server = serve()
  const admin = await AdminClient.login({ url: await server.listening, login: 'admin', password: PASSWORD })
  await admin.push.objects('Visit', 'ada', { 1: { note: 'before' } })

  const { code, stdout } = await godwit('backup copy.sqlite')
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^copy\.sqlite: .*, 1 object in 1 collection, 4 users, 0 undecided changes; checked\n$/),
  ])
  expect(await godwit('backup copy.sqlite')).toMatchObject({
    code: 1,
    stderr: 'godwit: There is a file copy.sqlite already. Choose another file, or pass --force.\n',
  })
  expect(JSON.parse((await godwit('backup --force --json copy.sqlite')).stdout)).toMatchObject({
    path: 'copy.sqlite',
    objects: 1,
  })

  await admin.push.objects('Visit', 'ada', { 2: { note: 'after' } })
  expect(await godwit('restore copy.sqlite')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/in use\. Stop the server/),
  })
  await server.stop()

  const restored = await godwit('restore copy.sqlite')
  expect(restored).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/The previous store is data\/godwit\.sqlite\.before-restore-\d{8}T\d{9}Z/),
  })
  const again = new AdminClient({ url: await serve().listening, token: admin.token })
  expect(await again.users.readDocument('ada', 'Visit', 'md')).toEqual({ 1: { note: 'before' } })
})

test('a backup or restore that cannot run says why in one line, and what to do instead', async () => {
  for (const [words, environment, said] of [
    ['backup x', { SYNC_STORE: 'memory:' }, 'a store in memory'],
    ['backup x', { SYNC_STORE: 'redis://:secret@127.0.0.1' }, 'BGSAVE'],
    ['restore x', { SYNC_STORE: 'redis-cluster://:secret@a:1,b:2' }, 'BGSAVE'],
    ['restore x', { SYNC_STORE: 'mysql://secret' }, 'the scheme mysql:'],
    ['backup x', {}, 'There is no file data/godwit.sqlite'],
    ['restore nowhere', {}, 'There is no file nowhere'],
    ['restore text', {}, 'text: it is no SQLite database'],
  ] as const) {
    writeFileSync(join(shop.folder, 'text'), 'no database '.repeat(1000))
    const { code, stdout, stderr } = await godwit(words, environment)
    expect({ words, code, stdout, stderr }).toEqual({
      words,
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^godwit: [^\n]+\n$/),
    })
    expect(stderr).toContain(said)
    expect(stderr).not.toContain('secret')
  }
  expect(readdirSync(shop.folder).filter(name => name !== 'text' && name !== 'data')).toEqual([])
  expect(existsSync(join(shop.folder, 'data', 'godwit.sqlite'))).toBe(false)
})
