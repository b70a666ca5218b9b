import { describeAccept } from './journal/accept.js'
import { describeOutcomes } from './journal/outcomes.js'
import { describeOwners } from './journal/owners.js'
import { describePage } from './journal/page.js'
import { describeSettle } from './journal/settle.js'
import { describeStart } from './journal/start.js'
import type { Suite } from './suite.js'

export function describeJournal(suite: Suite): void {
  suite.describe('journal', () => {
    describeAccept(suite)
    describeStart(suite)
    describeSettle(suite)
    describeOwners(suite)
    describeOutcomes(suite)
    describePage(suite)
  })
}
