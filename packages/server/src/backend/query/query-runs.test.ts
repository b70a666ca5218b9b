import { expect, jest, test } from '@jest/globals'
import { unlessCallerGone } from './query-runs.js'

test.each([
  ['is done', () => Promise.resolve()],
  ['fails', () => Promise.reject(new Error('away'))],
])('a wait for work that %s leaves no listener on the signal of its caller', async (_, work) => {
  const { signal } = new AbortController()
  const [add, remove] = [jest.spyOn(signal, 'addEventListener'), jest.spyOn(signal, 'removeEventListener')]
  await unlessCallerGone(work(), { signal }).catch(() => undefined)
  await new Promise(resolve => setImmediate(resolve))
  expect(add).toHaveBeenCalledTimes(1)
  expect(remove.mock.calls).toEqual(add.mock.calls.map(([type, listener]) => [type, listener]))
})

test('a wait ends when its caller is gone, and the work goes on', async () => {
  const gone = new AbortController()
  const { promise, resolve } = Promise.withResolvers<string>()
  const wait = unlessCallerGone(promise, gone)
  gone.abort()
  await expect(wait).rejects.toMatchObject({ code: 'backend_timeout' })
  await expect(unlessCallerGone(promise, gone)).rejects.toMatchObject({ code: 'backend_timeout' })
  resolve('done')
  expect(await promise).toBe('done')
})
