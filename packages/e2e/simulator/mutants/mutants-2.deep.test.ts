import { expect, test } from '@jest/globals'
import { useMutants } from './catch-mutant.js'
import { mutants } from './index.js'

const catchMutant = useMutants()

// Every second mutant: two files divide them among two workers.
test.each(mutants.filter((_, at) => at % 2 === 1))(
  'a fault is noticed where $law',
  async mutant => {
    expect(await catchMutant(mutant)).toMatchObject({ isCaught: true })
  },
  600_000,
)
