import { expect, test } from '@jest/globals'
import { BatchedCalls } from './batched-calls.js'

const visits = { source: 'Visit', partition: 'user:ada' }
const notes = { source: 'Note', partition: 'user:ada' }

const later = async (steps: number): Promise<void> => {
  for (let step = 0; step < steps; step++) await undefined
}

test('simultaneous requests are one step, whose results are distributed', async () => {
  const steps: (readonly number[])[] = []
  const doubling = new BatchedCalls(async (_, all: readonly number[]) => {
    steps.push(all)
    return all.map(one => one * 2)
  })
  expect(await Promise.all([1, 2, 3].map(one => doubling.ask(visits, one)))).toEqual([2, 4, 6])
  expect(await doubling.ask(visits, 4)).toBe(8)
  expect(steps).toEqual([[1, 2, 3], [4]])
})

test('each collection has a separate step', async () => {
  const steps: (readonly [string, ...number[]])[] = []
  const noting = new BatchedCalls(async ({ source }, all: readonly number[]) => {
    steps.push([source, ...all])
    return all
  })
  const asked = [noting.ask(visits, 1), noting.ask(notes, 2), noting.ask(visits, 3)]
  expect(await Promise.all(asked)).toEqual([1, 2, 3])
  expect(steps).toEqual([
    ['Visit', 1, 3],
    ['Note', 2],
  ])
})

test('requests after a shared step are batched, across any number of promises', async () => {
  const steps: number[] = []
  const counting = new BatchedCalls(async (_, all: readonly undefined[]) => {
    steps.push(all.length)
    return all
  })
  const go = async (): Promise<void> => {
    await later(7)
    await counting.ask(visits, undefined)
    await later(3)
    await counting.ask(visits, undefined)
  }
  await Promise.all(Array.from({ length: 100 }, go))
  expect(steps).toEqual([100, 100])
})

test('a request that fails fails no other', async () => {
  const dividing = new BatchedCalls(async (_, all: readonly number[]) =>
    all.map(one => {
      if (one === 0) throw new Error('by nothing')
      return 12 / one
    }),
  )
  const results = await Promise.allSettled([1, 0, 3].map(one => dividing.ask(visits, one)))
  expect(results.map(result => ('value' in result ? result.value : result.reason.message))).toEqual([
    12,
    'by nothing',
    4,
  ])
})
