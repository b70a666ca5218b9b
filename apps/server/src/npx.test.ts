import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { program } from './testing/run-godwit.js'

const folder = mkdtempSync(join(tmpdir(), 'godwit-npx-'))
jest.setTimeout(60_000)
beforeAll(() => {
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  symlinkSync(program, join(folder, 'node_modules/.bin/godwit'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function startByNpx(): Promise<{ npx: ChildProcess; url: string }> {
  // A `node` that is a script would be between, and take the signals.
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`
  const env = { ...process.env, PATH, NODE_OPTIONS: '', NODE_ENV: 'test', PORT: '0', SYNC_STORE: 'memory:' }
  const npx = spawn('npx', ['--no', 'godwit', 'start'], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  for await (const part of npx.stdout) {
    text += part
    const url = /^godwit listening on (\S+)$/m.exec(text)?.[1]
    if (url !== undefined) return { npx, url }
  }
  throw new Error(`npx ended before the server listened: ${text}`)
}

async function untilUnreachable(url: string): Promise<void> {
  for (const start = Date.now(); Date.now() - start < 20_000; await new Promise(resolve => setTimeout(resolve, 100)))
    if ((await fetch(`${url}/healthz`).catch(() => undefined)) === undefined) return
  throw new Error(`${url} still answers`)
}

test.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('a server ends after %s to its npx', async signal => {
  expect(spawnSync('ps').error).toBeUndefined()
  const { npx, url } = await startByNpx()
  npx.kill(signal)
  await untilUnreachable(url)
})

test('Ctrl-C ends npx and server', async () => {
  const { npx, url } = await startByNpx()
  process.kill(-(npx.pid ?? 0), 'SIGINT')
  await untilUnreachable(url)
})
