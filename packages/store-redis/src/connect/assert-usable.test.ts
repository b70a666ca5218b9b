import { expect, test } from '@jest/globals'
import type { Primary, RedisHandle } from '../redis-handle.js'
import { assertUsable } from './assert-usable.js'

const FACTS = { redis_version: '7.0.0', role: 'master', maxmemory_policy: 'noeviction' }

/** A handle whose INFO reply has these fields. */
function handleOf(facts: Readonly<Record<string, string>>, said = 'ready'): RedisHandle {
  const text = Object.entries(facts).map(([name, value]) => `${name}:${value}`)
  const primary: Primary = async ([name]) => (name === 'INFO' ? ['# Server', ...text].join('\r\n') : said)
  return { primaries: async () => [primary] } as unknown as RedisHandle
}

test.each([FACTS, { ...FACTS, redis_version: '7.2.4' }, { ...FACTS, redis_version: '10.1.0' }])(
  'a server that reports %j is accepted',
  async facts => assertUsable(handleOf(facts)),
)

test.each([
  [{ redis_version: '6.2.14' }, /version 6.2.14. Godwit needs 7.0 or newer/],
  [{ role: 'slave' }, /read-only replica. Name the primary/],
  [{ maxmemory_policy: 'volatile-ttl' }, /maxmemory-policy is volatile-ttl. Set it to noeviction/],
])('a server that reports %j is refused', async (facts, why) => {
  const refused = assertUsable(handleOf({ ...FACTS, ...facts }))
  await expect(refused).rejects.toMatchObject({
    code: 'store_unavailable',
    retryable: false,
    message: expect.stringMatching(why),
  })
})

test('a server that runs no scripts is refused', async () => {
  await expect(assertUsable(handleOf(FACTS, 'no'))).rejects.toThrow('it runs no scripts')
})
