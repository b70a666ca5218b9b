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

test('a list without lines says so to a person, and to nobody else', async () => {
  expect(await run(['jobs'], true)).toEqual({ code: 0, stdout: '', stderr: 'None.\n' })
  expect(await run(['jobs'], false)).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(await run(['jobs', '--json'], true)).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
})
