import { describeEnds } from './jobs/ends.js'
import { describeEnqueue } from './jobs/enqueue.js'
import { describeLosses } from './jobs/losses.js'
import { describeOrder } from './jobs/order.js'
import { type JobsConformance, jobsSuiteOf } from './jobs/suite.js'

export type { JobsConformance, JobsUnderTest } from './jobs/suite.js'

/** Registers all tests of a job engine with the given test runner. They use the real clock. */
export function describeJobs(conformance: JobsConformance): void {
  const suite = jobsSuiteOf(conformance)
  describeEnqueue(suite)
  describeOrder(suite)
  describeEnds(suite)
  describeLosses(suite)
}
