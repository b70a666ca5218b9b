import { describeAdvance } from './advance.js'
import { describeAnyHistory } from './any-history.js'
import { describeApply } from './apply.js'
import { describeAudit } from './audit.js'
import { describeBlobs } from './blobs.js'
import { describeChangeLog } from './change-log.js'
import { describeChanges } from './changes.js'
import { describeChecksum } from './checksum.js'
import { describeCompaction } from './compaction.js'
import { describeCounters } from './counters.js'
import { describeDocuments } from './documents.js'
import { describeEvents } from './events.js'
import { describeJournal } from './journal.js'
import { describeLeases } from './leases.js'
import { describeLifecycle } from './lifecycle.js'
import { describeMeasures } from './measures.js'
import { describeNewerWrites } from './newer-writes.js'
import { describeRegistry } from './registry.js'
import { describeReplace } from './replace.js'
import { describeSeries } from './series.js'
import { type Conformance, suiteOf } from './suite.js'

export { describePlantedFaults } from './any-history.js'
export { describeJobs, type JobsConformance, type JobsUnderTest } from './jobs.js'
export { describeSameAnswers } from './same-answers.js'
export type { Conformance, Matchers, StoreUnderTest } from './suite.js'

/** Registers all tests of a store with the given test runner. */
export function describeStore(conformance: Conformance): void {
  const suite = suiteOf(conformance)
  describeApply(suite)
  describeReplace(suite)
  describeNewerWrites(suite)
  describeAdvance(suite)
  describeChanges(suite)
  describeChangeLog(suite)
  describeChecksum(suite)
  describeCompaction(suite)
  describeAnyHistory(suite)
  describeJournal(suite)
  describeDocuments(suite)
  describeBlobs(suite)
  describeRegistry(suite)
  describeLeases(suite)
  describeCounters(suite)
  describeEvents(suite)
  describeSeries(suite)
  describeAudit(suite)
  describeMeasures(suite)
  describeLifecycle(suite)
}
