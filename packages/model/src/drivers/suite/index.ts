import { describeDevice } from './device-suite.js'
import { type DriverConformance, suiteOf } from './driver-conformance.js'
import { describeErrors } from './error-suite.js'
import { describeFiles } from './files.js'
import { describeIteration } from './iteration.js'
import { describeLock } from './lock.js'
import { describeSql } from './sql-suite.js'
import { describeStatements } from './statements.js'
import { describeTransactions } from './transactions.js'
import { describeValues } from './value-suite.js'

export type { DriverConformance, Matchers, PlaceUnderTest } from './driver-conformance.js'

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
