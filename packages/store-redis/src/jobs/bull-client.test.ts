import { expect, test } from '@jest/globals'
import type { RedisHandle } from '../redis-handle.js'
import { workerClient } from './bull-client.js'

function handleOf() {
  const made = { destroyed: 0, sent: [] as (readonly (string | Uint8Array)[])[] }
  const handle: RedisHandle = {
    send: async (_, command) => {
      made.sent.push(command)
      return 1
    },
    sendForBytes: async () => new Uint8Array(),
    sendInRow: async () => [],
    primaries: async () => [],
    subscribe: async () => async () => undefined,
    close: async () => undefined,
    destroy: () => {
      made.destroyed++
    },
  }
  return { handle, made }
}

test('a failed connection is retried until it opens', async () => {
  const { handle } = handleOf()
  let attempts = 0
  const open = async () => {
    if (++attempts < 3) throw new Error('Redis is away')
    return handle
  }
  const client = workerClient(handle, open).duplicate()
  await client.connect()
  expect([attempts, client.status]).toEqual([3, 'ready'])
})

test('a connection that opens after the end is closed', async () => {
  const { handle, made } = handleOf()
  const late = Promise.withResolvers<RedisHandle>()
  const client = workerClient(handle, () => late.promise).duplicate()
  const connecting = client.connect()
  client.disconnect()
  late.resolve(handle)
  await expect(connecting).rejects.toThrow('Connection is closed.')
  expect([made.destroyed, client.status]).toEqual([1, 'end'])
  await expect(client.bzpopmin('key', 1)).rejects.toThrow('Connection is closed.')
})

test('accepts fields as an object or a list, and sends a script only where it is unknown', async () => {
  const { handle, made } = handleOf()
  const client = workerClient(handle, async () => handle)
  await client.hset('key', { a: 1, b: 'two' })
  await (client.hset as (...given: unknown[]) => Promise<number>)('key', 'a', 1, 'b', 'two')
  const [one, other] = made.sent
  expect([one, other]).toEqual([one, ['HSET', 'key', 'a', '1', 'b', 'two']])
  expect(one).toEqual(other)

  client.defineCommand('add', { numberOfKeys: 1, lua: 'return 1' })
  const bytes = new Uint8Array([1, 2])
  const names: string[] = []
  handle.send = async (route, [name = '', ...rest]) => {
    names.push(`${route} ${name}`)
    if (name === 'EVALSHA') throw new Error('NOSCRIPT No matching script.')
    return rest as string[]
  }
  expect(await client.runCommand('add', [['key', null, bytes, 7]])).toEqual(['return 1', '1', 'key', '', bytes, '7'])
  expect(names).toEqual(['key EVALSHA', 'key EVAL'])
})
