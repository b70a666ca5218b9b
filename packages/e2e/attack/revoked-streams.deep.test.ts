import { connect, type Socket } from 'node:net'
import { CLIENT_ID_HEADER, type ClientCreated, type DeviceSession } from '@godwit/protocol'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type AttackWorld, overStores, read } from './world.js'

const STREAMS = 2000
/** An hour between heartbeats, so that only the revocation itself ends streams. */
const HEARTBEAT = 3600

/** A stream of events over its own socket. */
interface OpenStream {
  readonly socket: Socket
  readonly ended: Promise<void>
}

overStores(openOver => {
  let world: AttackWorld
  let streams: OpenStream[]
  beforeEach(async () => {
    streams = []
    world = await openOver({ limits: { eventHeartbeat: HEARTBEAT, streamsPerClient: STREAMS } })
    await world.caller('ada')
    await world.caller('grace')
  })
  afterEach(async () => {
    for (const { socket } of streams) socket.destroy()
    await world.close()
  })

  /** Logs a device in, in a separate session. */
  async function logIn(login: string): Promise<Record<string, string>> {
    const answer = await world.call('POST', '/rc/v1/app/login', {}, { login, password: 'secret' })
    const { session } = await read<DeviceSession>(answer)
    const authorization = { authorization: `Bearer ${session}` }
    const { client } = await read<ClientCreated>(await world.call('POST', '/rc/v1/clients', authorization))
    return { ...authorization, [CLIENT_ID_HEADER]: client.client_id }
  }

  /** Opens streams one after the other; each has sent its first event. */
  async function listen(count: number, headers: Readonly<Record<string, string>>): Promise<readonly OpenStream[]> {
    const { hostname, port } = new URL(world.url)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const opened: OpenStream[] = []
    for (let n = 0; n < count; n++) {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      const ended = new Promise<void>(resolve => socket.once('close', () => resolve()))
      opened.push({ socket, ended })
      socket.write(`GET /rc/v1/app/events HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n${lines.join('')}\r\n`)
      await new Promise<void>(resolve =>
        socket.on('data', part => String(part).includes('event: check') && resolve()).once('close', resolve),
      )
    }
    streams.push(...opened)
    return opened
  }

  const openStreams = (of: readonly OpenStream[]): number => of.filter(({ socket }) => !socket.closed).length

  test.each([
    ['a logout', (ada: Record<string, string>) => world.call('POST', '/rc/v1/app/logout', ada)],
    [
      'another password',
      async () => {
        const { headers } = await world.caller('admin')
        return world.call('PUT', '/rc/v1/users/ada', headers, { attributes: { password: 'another' } })
      },
    ],
  ])(
    '%s ends 2,000 open streams without a heartbeat, and no other',
    async (_, revoke) => {
      const ada = await logIn('ada')
      const own = await listen(STREAMS, ada)
      const others = await listen(20, await logIn('grace'))
      expect([openStreams(own), openStreams(others)]).toEqual([STREAMS, 20])
      expect((await revoke(ada)).status).toBe(200)
      await Promise.all(own.map(({ ended }) => ended))
      expect(openStreams(others)).toBe(20)
      expect(await world.serves()).toBe(true)
    },
    120_000,
  )
})
