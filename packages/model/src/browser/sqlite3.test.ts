import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, jest, test } from '@jest/globals'
import { loadSqlite3 } from './sqlite3.js'

const bytes = readFileSync(fileURLToPath(new URL('./sqlite3.wasm', import.meta.url)))
const server = createServer((_, response) =>
  response.writeHead(200, { 'content-type': 'application/wasm', connection: 'close' }).end(bytes),
)

afterEach(() => {
  jest.restoreAllMocks()
  server.close()
})

test('SQLite loads where the browser never says that it compiled it', async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  jest.spyOn(WebAssembly, 'compileStreaming').mockReturnValue(new Promise(() => {}))
  const { capi } = await loadSqlite3(`http://127.0.0.1:${(server.address() as AddressInfo).port}/sqlite3.wasm`)
  expect(capi.sqlite3_errstr(0)).toBe('not an error')
})
