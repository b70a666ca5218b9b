import type { BackendEngine } from '../backend-engine.js'
import type { QueryRun, RunEnd } from '../query/query-runs.js'
import { QUERY, type Reading, runQuery } from '../query/run-query.js'
import { attemptChanges } from './attempt-changes.js'

/** Reads what changed since the stored cursor. */
const CHANGES: Reading = { lease: 'changes', attempt: attemptChanges }

/** Returns how a run reads its partition: by `changes` where the source has it; query parameters need a query. */
export const readingOf = ({ source: { methods }, parameters }: Pick<QueryRun, 'source' | 'parameters'>): Reading =>
  methods.changes === undefined || (methods.query !== undefined && Object.keys(parameters).length > 0) ? QUERY : CHANGES

/** Brings one partition up to date. Failures are recorded for the devices and not thrown. */
export const runSource = (engine: BackendEngine, run: QueryRun): Promise<RunEnd> =>
  runQuery(engine, run, readingOf(run))
