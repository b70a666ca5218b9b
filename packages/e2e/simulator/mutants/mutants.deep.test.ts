import { expect, test } from '@jest/globals'
import { useMutants } from './catch-mutant.js'
import { mutants } from './index.js'
import { mutantsOfTurn } from './turn.js'

const catchMutant = useMutants()

test.each(mutantsOfTurn(mutants))(
  'a fault is noticed where $law',
  async mutant => {
    expect(await catchMutant(mutant)).toMatchObject({ isCaught: true })
  },
  600_000,
)
