import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { workshop } from './testing/run-godwit.js'

let shop: ReturnType<typeof workshop>
beforeEach(() => {
  shop = workshop()
})
afterEach(() => shop.clear())

describe('the command', () => {
  test.each(['--help', '-h'])('explains itself with %s', async word => {
    const { code, stdout, stderr } = await shop.run({ words: [word] }).ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^godwit COMMAND\n[\s\S]*start/)
  })

  test('names its version', async () => {
    const { code, stdout } = await shop.run({ words: ['--version'] }).ended
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)])
  })

  test.each([[[]], [['fly']], [['constructor']], [['start', 'now']]])(
    'ends with 2 and its usage for %j',
    async words => {
      const { code, stdout, stderr } = await shop.run({ words }).ended
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/^godwit[^\n]+\n\ngodwit (COMMAND|start)\n/)
    },
  )

  test('names the Node that it needs before anything else loads', async () => {
    const older =
      'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.20.2"}})'
    const { code, stdout, stderr } = await shop.run({ node: ['--import', older] }).ended
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^godwit: expected Node >= 22\.18, found 20\.20\.2\. Install [^\n]+\n$/)
  })
})

describe('a server that cannot start', () => {
  test.each<[environment: Record<string, string>, words: string]>([
    [{ NODE_ENV: 'production' }, 'SYNC_ADMIN_PASSWORD: expected a password'],
    [{ NODE_ENV: 'production', SYNC_ADMIN_PASSWORD: 'hunter2' }, 'expected at least 12 characters, got 7'],
    [{ PORT: 'http' }, 'PORT: expected a port'],
    [{ SYNC_STORE: 'redis://127.0.0.1:1' }, 'Cannot use the Redis at 127.0.0.1:1'],
    [
      { SYNC_STORE: 'mysql://127.0.0.1' },
      'expected sqlite:PATH, redis://HOST:PORT, redis-cluster://H1:P1,H2:P2 or memory:, got the scheme mysql:',
    ],
    [{ SYNC_STORE: 'sqlite:a-file/store.sqlite' }, 'cannot open the store a-file/store.sqlite'],
    [{ SYNC_WORKERS: 'maybe' }, 'SYNC_WORKERS: expected true or false, got "maybe"'],
    [{ SYNC_WORKERS: 'false' }, 'SYNC_WORKERS=false expects a redis: store, which processes share'],
    [{ SYNC_CONFIG: 'godwit.config.mjs' }, 'SYNC_CONFIG: there is no file'],
    [{ HOST: '192.0.2.1' }, 'HOST: 192.0.2.1 is not an address of this machine'],
  ])('says why in one line: %j', async (environment, words) => {
    writeFileSync(join(shop.folder, 'a-file'), 'no folder')
    const { code, stdout, stderr } = await shop.run({
      environment: {
        SYNC_STORE: 'memory:',
        SYNC_ADMIN_PASSWORD: environment['NODE_ENV'] ? undefined : 'a long one',
        SYNC_LOG_LEVEL: 'silent',
        ...environment,
      },
    }).ended
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    const said = stderr.split('\n').filter(line => !line.startsWith('Demo logins'))
    expect(said).toEqual([expect.stringMatching(/^godwit: /), ''])
    expect(said[0]).toContain(words)
  })

  test.each(['memory:', 'sqlite:store.sqlite'])('says why a worker alone cannot work on %s', async store => {
    const { code, stdout, stderr } = await shop.run({ words: ['worker'], environment: { SYNC_STORE: store } }).ended
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^godwit: SYNC_STORE: godwit worker expects a redis: store, which processes share[^\n]+\n$/)
  })

  test('says that its port is in use', async () => {
    const other = createServer()
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as { port: number }
    const { code, stderr } = await shop.run({
      environment: { PORT: `${port}`, SYNC_STORE: 'memory:', SYNC_LOG_LEVEL: 'silent' },
    }).ended
    other.close()
    expect(code).toBe(1)
    expect(stderr).toContain(`godwit: PORT: ${port} is in use on 127.0.0.1.`)
  })
})
