import { type CheckOptions, type CheckResult, checkBackend } from './check-backend.js'

/** Runs all checks and prints a line for each, in the form of the Test Anything Protocol. Resolves to whether none failed. */
export async function runSuite(options: CheckOptions, print: (line: string) => void): Promise<boolean> {
  let [count, failed] = [0, 0]
  for await (const result of checkBackend(options)) {
    count++
    if (result.failure !== undefined) failed++
    print(lineOf(result, count))
  }
  print(`1..${count}`)
  print(failed === 0 ? '# all hold' : `# ${failed} of ${count} failed`)
  return failed === 0
}

const lineOf = ({ name, failure, skipped }: CheckResult, count: number): string =>
  failure !== undefined
    ? `not ok ${count} - ${name}: ${failure}`
    : `ok ${count} - ${name}${skipped === undefined ? '' : ` # SKIP ${skipped}`}`
