import { expect, test } from '@jest/globals'
import { ReplyBudget } from './reply-budget.js'

/** True if the promise is still pending after all that can run now. */
async function isWaiting(promise: Promise<unknown>): Promise<boolean> {
  let over = false
  promise
    .finally(() => {
      over = true
    })
    .catch(() => undefined)
  await new Promise(resolve => setImmediate(resolve))
  return !over
}

test('replies wait while the process has no bytes left, and go on in the order in which they came', async () => {
  const budget = new ReplyBudget({ bytes: 100, perUser: 100 })
  const [first, second, third] = [budget.lease('ada'), budget.lease('grace'), budget.lease('linus')]
  await first.take(60)
  const waits = second.take(60)
  const alsoWaits = third.take(60)
  expect(await isWaiting(waits)).toBe(true)
  first.resize(30)
  await waits
  expect(budget.used).toBe(90)
  expect(await isWaiting(alsoWaits)).toBe(true)
  second.end()
  await alsoWaits
  for (const lease of [first, third]) lease.end()
  expect(budget.used).toBe(0)
})

test('a user who has used up a share delays no other user', async () => {
  const budget = new ReplyBudget({ bytes: 100, perUser: 20 })
  const [first, second, other] = [budget.lease('ada'), budget.lease('ada'), budget.lease('grace')]
  await first.take(20)
  const waits = second.take(20)
  expect(await isWaiting(waits)).toBe(true)
  await other.take(20)
  first.end()
  await waits
  expect(budget.used).toBe(40)
})

test('a reply that is larger than the whole budget goes when there is no other', async () => {
  const budget = new ReplyBudget({ bytes: 100, perUser: 50 })
  const lease = budget.lease('ada')
  await lease.take(1000)
  const waits = budget.lease('grace').take(1)
  expect(await isWaiting(waits)).toBe(true)
  lease.end()
  await waits
})

test('a caller who disconnects leaves the queue, and one who waits for too long is refused', async () => {
  const budget = new ReplyBudget({ bytes: 10, longest: 20 })
  const first = budget.lease('ada')
  await first.take(10)
  const gone = new AbortController()
  const left = budget.lease('grace').take(10, { signal: gone.signal })
  gone.abort()
  await expect(left).rejects.toThrow()
  await expect(budget.lease('grace').take(10)).rejects.toMatchObject({ code: 'store_unavailable' })
  first.end()
  expect(budget.used).toBe(0)
})

test('a lease that has ended uses nothing, whatever comes later', async () => {
  const budget = new ReplyBudget({ bytes: 10 })
  const [first, second] = [budget.lease('ada'), budget.lease('grace')]
  await first.take(10)
  const waits = second.take(10)
  second.end()
  first.end()
  await waits
  second.resize(5)
  expect(budget.used).toBe(0)
})
