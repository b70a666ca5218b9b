import { expect, jest, test } from '@jest/globals'
import { SharedWait } from './shared-wait.js'

test('aborted waits are removed, and a shared wait has one listener', async () => {
  const away = new Promise<string>(() => undefined)
  const then = jest.spyOn(away, 'then')
  const shared = new SharedWait<string>()
  const waits = Array.from({ length: 100 }, () => shared.wait(away, 5).catch(error => error.code))
  expect(new Set(await Promise.all(waits))).toEqual(new Set(['store_unavailable']))
  expect([shared.size, then.mock.calls.length]).toEqual([0, 1])
})

test('all waits get one result or failure, and later ones start another', async () => {
  const shared = new SharedWait<string>()
  const first = Promise.withResolvers<string>()
  const waits = [shared.wait(first.promise, 60_000), shared.wait(first.promise, 60_000)]
  first.resolve('connected')
  expect(await Promise.all(waits)).toEqual(['connected', 'connected'])
  const failed = shared.wait(Promise.reject(new Error('refused')), 60_000)
  await expect(failed).rejects.toThrow('refused')
  expect(await shared.wait(Promise.resolve('again'), 60_000)).toBe('again')
  expect(shared.size).toBe(0)
})
