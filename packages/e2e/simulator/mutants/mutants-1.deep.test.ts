import { expect, test } from '@jest/globals'
import { catchMutant } from './catch-mutant.js'
import { mutants } from './index.js'

// Every second mutant: two files divide them among two workers.
test.each(mutants.filter((_, at) => at % 2 === 0))(
  'a fault is noticed where $law',
  mutant => {
    expect(catchMutant(mutant)).toMatchObject({ isCaught: true })
  },
  600_000,
)
