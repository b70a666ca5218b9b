import { expect, test } from '@jest/globals'
import { signatureFlaw, signCall } from './signature.js'

const secret = 'a secret of 16 or more'
const body = '{"operation":"query"}'
const now = 1_800_000_000_000
const time = now / 1000

test('a signature is the HMAC of time and body, as other languages make it', async () => {
  const signature = await signCall({ secret: 'key', time: 1, body: 'text' })
  expect(signature).toBe('t=1,v1=177c3a92550a6cc2b8ad06a065bfcd9a7c3d190fed8c65313ef174673464b226')
})

test('a signed call has no flaw, as text or as bytes', async () => {
  const signature = await signCall({ secret, time, body })
  for (const given of [body, new TextEncoder().encode(body)])
    expect(await signatureFlaw({ secret, body: given, signature, now })).toBeUndefined()
})

test.each([
  ['another secret', { secret: 'another secret of 16' }, 'made with the shared secret'],
  ['another body', { body: `${body} ` }, 'made with the shared secret'],
  ['no signature', { signature: null }, 'expected the header X-Sync-SIGNATURE'],
  ['an old time', { now: now + 301_000 }, 'got one 301 seconds off'],
  ['a time ahead', { now: now - 301_000 }, 'got one 301 seconds off'],
])('%s is a flaw', async (_, part, flaw) => {
  const signature = await signCall({ secret, time, body })
  expect(await signatureFlaw({ secret, body, signature, now, ...part })).toContain(flaw)
})
