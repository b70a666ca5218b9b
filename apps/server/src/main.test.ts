import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { main } from './main.js'

let server: Server
beforeAll(async () => {
  server = createServer((_, response) => response.setHeader('content-type', 'application/json').end('[]'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.close()
})

async function run(words: readonly string[], isTTY: boolean) {
  const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY })]
  const { port } = server.address() as AddressInfo
  const env = { GODWIT_URL: `http://127.0.0.1:${port}`, GODWIT_TOKEN: 'a token' }
  const code = await main(words, { env, stdin: new PassThrough(), stdout, stderr, on: () => {}, exit: () => {} })
  return { code, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') }
}

test('an empty list is announced on a terminal, and nowhere else', async () => {
  expect(await run(['jobs'], true)).toEqual({ code: 0, stdout: '', stderr: 'None.\n' })
  expect(await run(['jobs'], false)).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(await run(['jobs', '--json'], true)).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
})

test.each([
  [['--json', 'jobs']],
  [['--json', 'users', 'list']],
  [['--token', 'a token', '--json', 'users', 'list', '--role', 'plugin']],
  [['--token=a token', 'users', '--json']],
  [['--json', 'sources']],
  [['sources', 'list', 'app', '--json']],
  [['users', '--role', 'plugin', '--json']],
])('options of every command may come first, and a group alone is its list: %j', async words => {
  expect(await run(words, true)).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
})

test.each([
  [['--json'], 'there is no command \\"--json\\"'],
  [['--json', 'source'], 'there is no command \\"source\\". Did you mean sources?'],
  [['--json', '--token'], 'there is no command'],
  [['--token', 'jobs', '--json'], 'there is no command'],
  [['--json', 'push', '--', '--json'], 'godwit push expects'],
])('%j is refused as JSON', async (words, message) => {
  const { code, stderr } = await run(words, true)
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'usage' } })
})

test('help is of the group or the command behind an option', async () => {
  expect(await run(['--json', 'users', '--help'], true)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^godwit users COMMAND/),
  })
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends the login of a command before the command: exit code %i', async (name, code) => {
  const asked: string[] = []
  const expires_at = '2030-01-01T00:00:00Z'
  const slow = createServer(({ method, url = '' }, response) => {
    asked.push(`${method} ${url}`)
    response.setHeader('content-type', 'application/json')
    if (method === 'POST') response.end(JSON.stringify({ token: 'made', expires_at, login: 'admin', role: 'admin' }))
    else if (method === 'DELETE') response.end('{}')
    else if (url.includes('tokens')) response.end(JSON.stringify([{ id: 'own', login: 'admin', expires_at }]))
    else slow.emit('asked')
  })
  await new Promise<void>(resolve => slow.listen(0, '127.0.0.1', resolve))
  const env = { GODWIT_URL: `http://127.0.0.1:${(slow.address() as AddressInfo).port}`, GODWIT_PASSWORD: 'a password' }
  const listeners = new Map<string, (...given: never[]) => void>()
  const exited = new Promise<number>(resolve => {
    const on = (signal: string, listener: (...given: never[]) => void) => listeners.set(signal, listener)
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
    void main(['jobs'], { env, stdin, stdout, stderr, on, exit: resolve })
  })
  await once(slow, 'asked')
  listeners.get(name)?.()
  expect(await exited).toBe(code)
  expect(asked.at(-1)).toMatch(/^DELETE .*own$/)
  slow.closeAllConnections()
  slow.close()
})
