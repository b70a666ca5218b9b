import { expect, test } from '@jest/globals'
import { replicasOf } from './store.js'

const undecided = { queued: 7, started: 0, in_doubt: 0 }

test('replicas that are missing hold up calls, and as many as are asked for do not', () => {
  expect(replicasOf({ replicas: undefined, undecided })).toEqual([])
  expect(replicasOf({ replicas: { wanted: 1, present: 2 }, undecided })).toEqual([
    { state: 'ok', about: 'replicas', says: '2 keep up, 1 have to know of a call' },
  ])
  expect(replicasOf({ replicas: { wanted: 2, present: 1 }, undecided })).toEqual([
    expect.objectContaining({
      state: 'warning',
      says: expect.stringMatching(/1 keep up, expected 2: .* 7 changes wait/),
    }),
  ])
})
