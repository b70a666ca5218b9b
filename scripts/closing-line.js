import { writeSync } from 'node:fs'

/** A jest reporter: one plain line after everything else. A suite that could not run at all counts as a failed test. */
export default class ClosingLine {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites }) {
    const failed = numFailedTests + numRuntimeErrorTestSuites
    process.once('exit', () => writeSync(1, `${numPassedTests} passed, ${failed} failed, ${numPendingTests} skipped\n`))
  }
}
