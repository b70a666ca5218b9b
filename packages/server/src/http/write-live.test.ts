import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createConnection, type Socket } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import { writeLive } from './write-live.js'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** A stream whose parts the test supplies one by one, and which records when it is closed. */
class Parts implements AsyncIterableIterator<string> {
  taken = 0
  returned = false
  readonly #next: (taken: number) => Promise<string | undefined> | string | undefined
  #end: (() => void) | undefined

  constructor(next: (taken: number) => Promise<string | undefined> | string | undefined) {
    this.#next = next
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<string>> {
    const ended = new Promise<undefined>(resolve => {
      this.#end = () => resolve(undefined)
    })
    const value = this.returned ? undefined : await Promise.race([this.#next(this.taken++), ended])
    return value === undefined ? { done: true, value } : { done: false, value }
  }

  async return(): Promise<IteratorResult<string>> {
    this.returned = true
    this.#end?.()
    return { done: true, value: undefined }
  }
}

const forever = (): Promise<undefined> => new Promise(() => undefined)

/** A caller of a server that sends these parts. */
async function call(
  parts: Parts,
  cut = new AbortController().signal,
): Promise<{ socket: Socket; sent: Promise<void> }> {
  const server: Server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const socket = createConnection((server.address() as AddressInfo).port, '127.0.0.1')
  ends.push(() => {
    socket.destroy()
    server.close()
  })
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  return { socket, sent: writeLive(response, parts, cut) }
}

test('parts are sent as they arrive, and their end is the end of the answer', async () => {
  const { socket, sent } = await call(new Parts(taken => ['one', 'two'][taken]))
  let text = ''
  socket.setEncoding('utf8').on('data', part => {
    text += part
  })
  await sent
  while (!text.endsWith('0\r\n\r\n')) await once(socket, 'data')
  expect(text.split('\r\n')).toEqual(expect.arrayContaining(['one', 'two']))
})

test('the source of parts is closed when the caller disconnects between parts', async () => {
  const parts = new Parts(taken => (taken === 0 ? 'one' : forever()))
  const { socket, sent } = await call(parts)
  await once(socket, 'data')
  socket.destroy()
  await sent
  expect(parts.returned).toBe(true)
})

test('writing pauses while the caller does not read', async () => {
  const size = 1 << 20
  const parts = new Parts(taken => (taken < 64 ? 'x'.repeat(size) : undefined))
  const { socket, sent } = await call(parts)
  await new Promise(resolve => setTimeout(resolve, 100))
  expect(parts.taken).toBeLessThan(64)
  let bytes = 0
  socket.on('data', (part: Buffer) => {
    bytes += part.length
  })
  await sent
  while (bytes < 64 * size) await once(socket, 'data')
})

test('a caller who times out within a part is disconnected', async () => {
  const cut = new AbortController()
  const parts = new Parts(() => 'x'.repeat(1 << 20))
  const { socket, sent } = await call(parts, cut.signal)
  await new Promise(resolve => setTimeout(resolve, 50))
  cut.abort()
  await sent
  expect(parts.returned).toBe(true)
  socket.resume()
  await once(socket, 'close')
})

test('parts that fail end with their error', async () => {
  const parts = new Parts(taken => (taken === 0 ? 'one' : Promise.reject(new Error('the store broke'))))
  const { sent } = await call(parts)
  await expect(sent).rejects.toThrow('the store broke')
  expect(parts.returned).toBe(true)
})

test('a caller who disconnects before the first part ends the parts', async () => {
  const parts = new Parts(() => 'one')
  const gone = { destroyed: true, on: () => gone, once: () => gone, write: () => false, end: () => gone }
  await writeLive(gone as unknown as ServerResponse, parts, new AbortController().signal)
  expect(parts.returned).toBe(true)
})
