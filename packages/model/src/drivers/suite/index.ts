import { describeDevice } from './device.js'
import { describeErrors } from './errors.js'
import { describeFiles } from './files.js'
import { describeIteration } from './iteration.js'
import { describeLock } from './lock.js'
import { describeSql } from './sql.js'
import { describeStatements } from './statements.js'
import { type DriverConformance, suiteOf } from './suite.js'
import { describeTransactions } from './transactions.js'
import { describeValues } from './values.js'

export type { DriverConformance, Matchers, PlaceUnderTest } from './suite.js'

/** Registers tests of all requirements on a driver, with the test runner that is passed in. */
export function describeDriver(conformance: DriverConformance): void {
  const suite = suiteOf(conformance)
  describeValues(suite)
  describeStatements(suite)
  describeIteration(suite)
  describeErrors(suite)
  describeTransactions(suite)
  describeFiles(suite)
  describeSql(suite)
  describeLock(suite)
  describeDevice(suite)
}
