import { expect, test } from '@jest/globals'
import { runHistories } from './histories.js'

test.each(['automatic', 'listening'])(
  'every promise is kept in the histories 1 to 150 of the scenario %s',
  about => {
    const { code, out } = runHistories(['--about', about, '--first', '1', '--histories', '150'])
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('150 histories') })
  },
  600_000,
)
