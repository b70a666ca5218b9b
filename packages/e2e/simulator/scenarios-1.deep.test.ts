import { expect, test } from '@jest/globals'
import { runHistories } from './histories.js'

test.each(['blobs', 'bulk', 'searches'])(
  'every promise is kept in the histories 1 to 100 of the scenario %s',
  about => {
    const { code, out } = runHistories(['--about', about, '--first', '1', '--histories', '100'])
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('100 histories') })
  },
  600_000,
)
