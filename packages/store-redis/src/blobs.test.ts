import { randomBytes } from 'node:crypto'
import type { Store } from '@godwit/store'
import { expect, test } from '@jest/globals'
import { readAddress } from './address.js'
import { connect } from './connect/connect.js'
import { describeOnAnyRedis, describeOnCluster, keeper, type SharedRedis } from './redis.fixture.js'
import type { RedisCommand, RedisHandle } from './redis-handle.js'
import { redisStore } from './redis-store.js'

const BLOB = { scope: 'scope', name: 'name' }
/** Spans two chunks. */
const LARGE = 9 * 1024 * 1024
const filled = (size: number, letter: string): Uint8Array => new Uint8Array(size).fill(letter.charCodeAt(0))

const kept = keeper()

function describeRemovals(redis: SharedRedis): void {
  const prefix = () => `test ${randomBytes(6).toString('hex')}:`
  const open = async (
    prefix: string,
    before: (command: RedisCommand) => Promise<void> = async () => undefined,
    clock?: () => number,
  ) => {
    const handle = await connect(readAddress(redis.url))
    const send: RedisHandle['send'] = async (key, command) => {
      await before(command)
      return handle.send(key, command)
    }
    return kept(redisStore({ ...handle, send }, { prefix, ...(clock && { clock }) }))
  }
  const upload = ({ blobs }: Store, size: number, letter: string) =>
    blobs.append(BLOB, { size, offset: 0, bytes: filled(size, letter) })
  const lettersOf = async ({ blobs }: Store) => {
    const bytes = await blobs.read(BLOB, { offset: 0, length: 2 * LARGE })
    return [bytes.length, ...new Set(bytes)]
  }
  const keysOf = async (prefix: string) => {
    const primaries = await redis.handle.primaries()
    return (await Promise.all(primaries.map(send => send(['KEYS', `${prefix}*blob:*`])))).flat()
  }

  test('the charge for a blob that never arrived expires after a minute', async () => {
    const name = prefix()
    const clock = { now: 1_700_000_000_000 }
    const charge = { account: 'ada', bytes: 10, limit: 25 }
    const begin = ({ blobs }: Store, name: string) =>
      blobs.append({ scope: 's', name }, { size: 1, offset: 0, bytes: new Uint8Array(1) }, charge)
    const store = await open(name, undefined, () => clock.now)
    const dying = await open(
      name,
      async ([command, , keys]) => {
        if (`${command}`.startsWith('EVAL') && keys === '3')
          throw new Error('This process died before the blob was there.')
      },
      () => clock.now,
    )
    await begin(store, 'a')
    await begin(dying, 'b').catch(() => undefined)
    expect(await store.blobs.charged('ada')).toBe(20)
    expect(await begin(store, 'd')).toBe(undefined)
    clock.now += 61_000
    expect(await begin(store, 'd')).toMatchObject({ received: 1 })
    expect(await store.blobs.charged('ada')).toBe(20)
    await store.clear()
  })

  test('a restarted upload has only its bytes, wherever its removal crashed', async () => {
    const name = prefix()
    const store = await open(name)
    await upload(store, LARGE, 'a')
    const dying = await open(name, async ([command]) => {
      if (!`${command}`.startsWith('EVAL')) throw new Error('This process died after its script.')
    })
    await dying.blobs.remove(BLOB).catch(() => undefined)
    expect(await keysOf(name)).toEqual([])
    await upload(store, LARGE, 'b')
    expect(await lettersOf(store)).toEqual([LARGE, 98])
    await store.clear()
  })

  test('bytes of an older version are not part of the blob', async () => {
    const name = prefix()
    const store = await open(name)
    for (const chunk of [0, 1]) {
      const key = `${name}{blob:scope:name}:bytes:${chunk}`
      await redis.handle.send(key, ['SET', key, 'left'])
    }
    const half = LARGE / 2
    for (const offset of [0, half]) await store.blobs.append(BLOB, { size: LARGE, offset, bytes: filled(half, 'a') })
    expect(await lettersOf(store)).toEqual([LARGE, 97])
    await store.clear()
  })

  test('a blob that is written again during its removal is removed completely', async () => {
    const name = prefix()
    const store = await open(name)
    await upload(store, 1, 'a')
    let scripts = 0
    const slow = await open(name, async () => {
      if (++scripts !== 2) return
      await store.blobs.remove(BLOB)
      await upload(store, LARGE, 'b')
    })
    expect(await slow.blobs.remove(BLOB)).toBe(true)
    expect(await keysOf(name)).toEqual([])
    await store.clear()
  })
}

describeOnAnyRedis('blobs on one server', describeRemovals)
describeOnCluster('blobs on a Cluster', describeRemovals)
