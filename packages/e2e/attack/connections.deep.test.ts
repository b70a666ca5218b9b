import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type AttackWorld, overStores } from './world.js'

overStores(openOver => {
  let world: AttackWorld
  let sockets: Socket[]
  beforeEach(async () => {
    sockets = []
    world = await openOver({ limits: { stopWait: 2 } })
  })
  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    await world.close()
  })

  /** Opens connections that send this text and then nothing more. */
  async function open(count: number, text: string): Promise<void> {
    const { hostname, port } = new URL(world.url)
    for (let n = 0; n < count; n++) {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      sockets.push(socket)
      await new Promise(resolve => socket.once('connect', resolve))
      socket.write(text)
    }
  }

  const POST = 'POST /rc/v1/app/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

  test.each([
    ['say nothing', ''],
    ['stop within their first line', 'GET /rc/v1'],
    ['stop within their headers', 'GET /readyz HTTP/1.1\r\nHost: x\r\nX-A: '],
    ['announce a body and do not send it', `${POST}Content-Length: 100\r\n\r\n`],
    ['stop within their body', `${POST}Content-Length: 100\r\n\r\n{"login":"`],
    ['stop within a chunk', `${POST}Transfer-Encoding: chunked\r\n\r\nff\r\n{"login`],
  ])('600 connections that %s keep no other client out', async (_, text) => {
    await open(600, text)
    expect(await world.serves()).toBe(true)
    const ada = await world.caller('ada')
    expect((await world.call('GET', '/app/v1/Note', ada.headers)).status).toBe(200)
  })

  test.each([
    ['two lengths', `${POST}Content-Length: 5\r\nContent-Length: 6\r\n\r\n`],
    ['a length and chunks', `${POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['no HTTP', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'],
    ['a header of 100 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['a length below zero', `${POST}Content-Length: -1\r\n\r\n`],
  ])('a request with %s is refused, and its connection closed', async (_, text) => {
    await open(1, '')
    const [socket] = sockets
    const heard: string[] = []
    socket?.setEncoding('utf8').on('data', part => heard.push(String(part)))
    const closed = new Promise(resolve => socket?.once('close', resolve))
    socket?.write(text)
    await closed
    expect(heard.join('')).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(await world.serves()).toBe(true)
  })

  test('a server stops in time with any number of waiting connections', async () => {
    await open(300, `${POST}Content-Length: 100\r\n\r\n{`)
    await world.caller('ada')
    await world.close()
    await expect(world.ask('/healthz')).rejects.toThrow()
  })
})
