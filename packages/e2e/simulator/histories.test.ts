import { expect, test } from '@jest/globals'
import { runHistories } from './run-histories.js'

// The first history of each kind; `histories-*.deep.test.ts` run all of them.
test.each([
  { first: 1, histories: 30, kind: 'of every kind' },
  { first: 2001, histories: 15, kind: 'that are worked through queues' },
  { first: 2301, histories: 15, kind: 'whose plans let meet what hardly ever does' },
])(
  'every promise is kept in $histories histories $kind',
  ({ first, histories }) => {
    const { code, out } = runHistories(['--first', `${first}`, '--histories', `${histories}`])
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining(`${histories} histories`) })
  },
  600_000,
)
