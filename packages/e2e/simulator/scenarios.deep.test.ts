import { expect, test } from '@jest/globals'
import { useHistories } from './run-histories.js'
import { seedsOfScenario } from './seeds.js'
import { FEATURES } from './world/feature-scenarios.js'

const simulator = useHistories()
const range = seedsOfScenario()

test.each(FEATURES)(
  `every promise is kept in ${range.histories} histories from ${range.first} of the scenario %s`,
  about => {
    expect(simulator.run({ ...range, about })).toEqual({ kept: range.histories, failure: '' })
  },
  6 * 3_600_000,
)

test('every fault happened in these histories, and every comparison was made', () => {
  expect(simulator.missing()).toEqual([])
})
