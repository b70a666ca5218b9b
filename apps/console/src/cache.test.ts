import { expect, test } from '@jest/globals'
import { Cache } from './cache.js'

const settled = () => new Promise(resolve => setTimeout(resolve, 5))

test('components that request the same data share one request, and an answer stays fresh', async () => {
  const cache = new Cache()
  let asked = 0
  const ask = async () => ++asked
  cache.subscribe('users', () => {})
  for (let n = 0; n < 3; n++) cache.ensure('users', ask, 1000)
  await settled()
  cache.ensure('users', ask, 1000)
  expect([asked, cache.read('users')]).toEqual([1, { data: 1, busy: false }])
  await cache.load('users', ask)
  expect(cache.read('users')).toEqual({ data: 2, busy: false })
})

test('a request is aborted with its last listener, and the next listener starts another', async () => {
  const cache = new Cache()
  const aborted: boolean[] = []
  const ask = ({ signal }: { readonly signal: AbortSignal }) =>
    new Promise<string>((_, reject) => {
      signal.addEventListener('abort', () => {
        aborted.push(true)
        reject(signal.reason)
      })
    })
  const leave = cache.subscribe('slow', () => {})
  cache.ensure('slow', ask, 0)
  leave()
  await settled()
  expect([aborted, cache.read('slow')]).toEqual([[true], { busy: false }])
  cache.subscribe('slow', () => {})
  cache.ensure('slow', async () => 'there', 0)
  await settled()
  expect(cache.read('slow')).toEqual({ data: 'there', busy: false })
})

test('a failure keeps the last known answer, and answers of old pages are dropped', async () => {
  const cache = new Cache()
  await cache.load('state', async () => 'known')
  await cache.load('state', () => Promise.reject(new Error('away')))
  expect(cache.read('state')).toEqual({ data: 'known', error: new Error('away'), busy: false })
  for (let n = 0; n < 300; n++) await cache.load(`row ${n}`, async () => n)
  expect([cache.read('row 0'), cache.read('row 299')]).toEqual([{ busy: false }, { data: 299, busy: false }])
})
