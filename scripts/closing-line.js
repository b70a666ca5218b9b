/** A jest reporter: one plain last line. A suite that could not run at all counts as a failed test. */
export default class ClosingLine {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites }) {
    const failed = numFailedTests + numRuntimeErrorTestSuites
    process.stdout.write(`${numPassedTests} passed, ${failed} failed, ${numPendingTests} skipped\n`)
  }
}
