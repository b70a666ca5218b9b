import { describe, expect, test } from '@jest/globals'
import BetterSqlite3 from 'better-sqlite3'
import { SELECT_AUDIT } from './audit.js'
import { DELETE_COMMITS, SELECT_OLDEST, SELECT_YOUNG } from './collections/change-log.js'
import { SELECT_CHANGES } from './collections/changes.js'
import { DELETE_BATCHES, SELECT_TOMBSTONES } from './collections/compact.js'
import { SELECT_COLLECTION } from './collections/head.js'
import { SELECT_COMMIT } from './collections/history.js'
import { SELECT_OBJECT } from './collections/open-batch.js'
import { SELECT_LIST } from './collections/read.js'
import { SELECT_VERSION_AT } from './collections/schedule.js'
import { SELECT_WALK } from './collections/stage-removals.js'
import {
  FORGET_JOBS,
  SELECT_FIRST_JOB,
  SELECT_JOB,
  SELECT_JOBS_AHEAD,
  SELECT_LOST_JOBS,
  SELECT_NEXT_DUE,
  SELECT_NEXT_LOST,
} from './jobs.js'
import { EMPTY_ACKNOWLEDGED } from './journal/acknowledge.js'
import { SELECT_ENTRY } from './journal/entry.js'
import { SELECT_OUTCOMES, SELECT_QUEUED, SELECT_UNDECIDED_OF_ALL } from './journal/list-entries.js'
import { SELECT_CREATE, SELECT_DEPENDENTS } from './journal/owners.js'
import { SELECT_LEFT } from './journal/settle.js'
import { SELECT_BUSY } from './journal/start.js'
import { SELECT_LEASE } from './leases.js'
import { COUNT_UNDECIDED } from './measure.js'
import { migrate } from './migrate.js'
import { COUNT_RECORDS, SELECT_RECORD } from './registry.js'
import { DELETE_OLD_POINTS, SELECT_POINTS } from './series.js'

/** Statements with the index ranges that they read. Any other step would be a scan or a sort that grows with the data. */
const PLANS: readonly (readonly [name: string, sql: string, steps: readonly string[]])[] = [
  ['collection', SELECT_COLLECTION, ['sqlite_autoindex_collection_1 (source=? AND partition=?)']],
  ['object', SELECT_OBJECT, ['object_by_id (collection=? AND id=?)']],
  ['changes', SELECT_CHANGES, ['object_by_version (collection=? AND (version,id)>(?,?))']],
  ['list', SELECT_LIST, ['object_by_id (collection=? AND id>?)']],
  ['walk', SELECT_WALK, ['object_by_id (collection=? AND id>?)']],
  ['tombstones', SELECT_TOMBSTONES, ['tombstone (collection=? AND version<?)']],
  ['version at', SELECT_VERSION_AT, ['PRIMARY KEY (collection=? AND version>?)']],
  [
    'old batches',
    DELETE_BATCHES,
    ['PRIMARY KEY (collection=? AND version=?)', 'PRIMARY KEY (collection=? AND version<?)'],
  ],
  ['commit', SELECT_COMMIT, ['PRIMARY KEY (collection=? AND version=?)']],
  ['old commits', DELETE_COMMITS, ['PRIMARY KEY (collection=? AND version<?)']],
  ['oldest commit', SELECT_OLDEST, ['PRIMARY KEY (collection=?)']],
  ['first commit that is not too old', SELECT_YOUNG, ['PRIMARY KEY (collection=?)']],
  ['entry', SELECT_ENTRY, ['mutation_by_key (collection=? AND key=?)']],
  ['busy object', SELECT_BUSY, ['mutation_of_object (collection=? AND object=?)']],
  ['left', SELECT_LEFT, ['mutation_undecided (collection=?)']],
  ['create', SELECT_CREATE, ['mutation_create (collection=? AND object=?)']],
  ['outcomes', SELECT_OUTCOMES, ['mutation_by_outcome (collection=? AND client=? AND outcomeNumber>?)']],
  [
    'acknowledged',
    EMPTY_ACKNOWLEDGED,
    ['mutation_by_outcome (collection=? AND client=? AND outcomeNumber>? AND outcomeNumber<?)'],
  ],
  ['queued', SELECT_QUEUED, ['mutation_undecided (collection=? AND sequence>?)']],
  ['lease', SELECT_LEASE, ['sqlite_autoindex_lease_1 (name=?)']],
  ['job', SELECT_JOB, ['sqlite_autoindex_job_1 (queue=? AND id=?)']],
  ['jobs of a clock that was ahead', SELECT_JOBS_AHEAD, ['job_written (writtenAt>?)']],
  ['lost jobs', SELECT_LOST_JOBS, ['job_running (until<?)']],
  ['next due job', SELECT_NEXT_DUE, ['job_waiting (dueAt>?)']],
  ['next lost job', SELECT_NEXT_LOST, ['job_running (until>?)']],
  ['dead jobs', FORGET_JOBS, ['job_dead (dueAt<?)']],
  ['record', SELECT_RECORD, ['sqlite_autoindex_record_1 (kind=? AND id=?)']],
  ['audit', SELECT_AUDIT, ['INTEGER PRIMARY KEY (rowid<?)']],
  ['points', SELECT_POINTS, ['PRIMARY KEY (series=? AND time>?)']],
  ['old points', DELETE_OLD_POINTS, ['PRIMARY KEY (series=? AND time=?)', 'PRIMARY KEY (series=? AND time<?)']],
]

/** Statements that sort a few rows, or read undecided rows only. */
const SORTED: readonly (readonly [name: string, sql: string, steps: readonly string[]])[] = [
  [
    'first job',
    SELECT_FIRST_JOB,
    [
      'job_waiting (dueAt<?)',
      'SCAN json_each',
      'SCAN json_each',
      'CORRELATED SCALAR SUBQUERY',
      'job_of_group (group=?)',
    ],
  ],
  ['dependents', SELECT_DEPENDENTS, ['INTEGER PRIMARY KEY (rowid=?)', 'PRIMARY KEY (collection=? AND owner=?)']],
  [
    'undecided of all',
    SELECT_UNDECIDED_OF_ALL,
    ['SCAN mutation USING INDEX mutation_undecided', 'INTEGER PRIMARY KEY (rowid=?)'],
  ],
]

const COUNTED: readonly (readonly [name: string, sql: string, steps: readonly string[]])[] = [
  [
    'undecided by state',
    COUNT_UNDECIDED,
    ['CO-ROUTINE', 'SCAN mutation USING INDEX mutation_of_object', 'INTEGER PRIMARY KEY (rowid=?)', 'SCAN (subquery'],
  ],
  ['records of a kind', COUNT_RECORDS, ['COVERING INDEX record_to_count (kind=?)']],
]

const handle = new BetterSqlite3(':memory:')
migrate(handle, ':memory:')

function planOf(sql: string): readonly string[] {
  const values = Array.from(sql.matchAll(/\?/g), () => null)
  const rows = handle.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { readonly detail: string }[]
  return rows.map(({ detail }) => detail)
}

describe('a hot statement reads one index range and sorts nothing', () => {
  test.each(PLANS)('%s', (_name, sql, steps) => {
    const plan = planOf(sql).filter(step => !step.startsWith('LIST SUBQUERY'))
    expect(plan).toEqual(steps.map(step => expect.stringContaining(step)))
    for (const step of plan) expect(step).toMatch(/^SEARCH /)
  })
})

describe('a statement over what is undecided touches nothing else', () => {
  test.each([...SORTED, ...COUNTED])('%s', (_name, sql, steps) => {
    const plan = planOf(sql).filter(step => !/^(LIST SUBQUERY|USE TEMP B-TREE|CREATE BLOOM FILTER)/.test(step))
    expect(plan).toEqual(steps.map(step => expect.stringContaining(step)))
  })
})
