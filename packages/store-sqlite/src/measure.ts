import { MAX_COUNTED, type Measures } from '@godwit/store'
import type { SqliteConnection } from './connection.js'

/** The size of the file in bytes, free pages included. */
export const SELECT_BYTES = 'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size'
/** Ignores rows of dropped collections that are not swept yet. */
export const COUNT_UNDECIDED = `
SELECT state, count(*) AS count FROM (
  SELECT state FROM mutation
  WHERE decided = 0 AND EXISTS (SELECT 1 FROM collection WHERE number = mutation.collection)
  LIMIT ${MAX_COUNTED})
GROUP BY state`

interface UndecidedCount {
  readonly state: keyof Measures['undecided']
  readonly count: number
}

export function measure(connection: SqliteConnection): Measures {
  const bytes = connection.statement<{ readonly bytes: number }>(SELECT_BYTES).get()?.bytes
  const undecided = { queued: 0, started: 0, in_doubt: 0 }
  for (const { state, count } of connection.statement<UndecidedCount>(COUNT_UNDECIDED).all()) undecided[state] = count
  return { bytes, replicas: undefined, undecided }
}
