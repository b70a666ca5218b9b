import { expect, test } from '@jest/globals'
import { BatchedCalls } from './batched-calls.js'

const ada = { source: 'Visit', partition: 'user:ada' }
const grace = { source: 'Visit', partition: 'user:grace' }

/** Doubles numbers, a limited number in each batch, and records the batches by collection. */
function doubling(most = Number.POSITIVE_INFINITY, lengthOf: (given: number) => number = () => 1) {
  const steps: (readonly [partition: string, ...given: number[]])[] = []
  const together = new BatchedCalls<number, number>(async ({ partition }, given) => {
    steps.push([partition, ...given])
    if (given.includes(13)) throw new Error('13 came')
    return given.slice(0, most).map(one => 2 * one)
  }, lengthOf)
  return { steps, together }
}

test('requests of one turn are batched by collection', async () => {
  const { steps, together } = doubling()
  const later = (async () => {
    for (let promises = 0; promises < 9; promises++) await null
    return together.ask(ada, 3)
  })()
  const asked = [together.ask(ada, 1), together.ask(grace, 2), later]
  expect(await Promise.all(asked)).toEqual([2, 4, 6])
  expect(steps).toEqual([
    [ada.partition, 1, 3],
    [grace.partition, 2],
  ])
  expect(await together.ask(ada, 4)).toBe(8)
  expect(steps).toHaveLength(3)
})

test('what a step did not reach is left to the next', async () => {
  const { steps, together } = doubling(2)
  expect(await Promise.all([1, 2, 3, 4, 5].map(one => together.ask(ada, one)))).toEqual([2, 4, 6, 8, 10])
  expect(steps.map(([, ...given]) => given)).toEqual([[1, 2, 3, 4, 5], [3, 4, 5], [5]])
})

test('a step takes at most 50 items and 65,536 characters, but at least one item', async () => {
  const many = doubling()
  await Promise.all(Array.from({ length: 120 }, (_, index) => many.together.ask(ada, 100 + index)))
  expect(many.steps.map(([, ...given]) => given.length)).toEqual([50, 50, 20])
  const long = doubling(undefined, given => given * 1000)
  await Promise.all([40, 30, 20, 70, 1].map(one => long.together.ask(ada, one)))
  expect(long.steps.map(([, ...given]) => given)).toEqual([[40], [30, 20], [70], [1]])
})

test('a step that fails fails only its items', async () => {
  const { together } = doubling()
  const numbers = Array.from({ length: 60 }, (_, index) => index)
  const settled = await Promise.allSettled(numbers.map(one => together.ask(ada, one)))
  const failed = numbers.filter(one => settled[one]?.status === 'rejected')
  expect(failed).toEqual(numbers.slice(0, 50))
})
