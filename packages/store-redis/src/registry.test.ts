import { expect, test } from '@jest/globals'
import { connectRedisStore } from './connect-redis-store.js'
import { describeOnRedis, keeper } from './redis.fixture.js'

const kept = keeper()

describeOnRedis('records that an older version wrote', redis => {
  test('that end after the year 2286 stay, and do not block a list', async () => {
    const store = kept(await connectRedisStore(redis.url))
    for (const id of ['s', '0s']) await store.registry.create('credential', { id, value: {}, expiresAt: 1e13 })
    const tag = 'godwit:{records:credential}'
    const [starts, leaves] = [`${tag}:starts`, `${tag}:leaves`]
    // The older version wrote the expiry of `s` one digit wider, which reads as the expiry of the former `0s`.
    const wide = `
      local list = cmsgpack.unpack(redis.call('HGET', KEYS[2], ''))
      table.insert(list, 1, 'e10000000000000.000s')
      redis.call('HSET', KEYS[2], '', cmsgpack.pack(list))`
    await redis.handle.send(starts, ['EVAL', wide, '2', starts, leaves])
    expect(await store.registry.count('credential')).toBe(2)
    expect((await store.registry.list('credential', { limit: 9 })).map(({ id }) => id)).toEqual(['0s', 's'])
    expect(await redis.handle.send(leaves, ['HGET', leaves, ''])).not.toContain('e10000000000000.000s')
  })
})
