import type { SourceError } from '@godwit/protocol'
import type { CollectionId, Head, PendingRemovals } from '@godwit/store'
import type { SqliteConnection } from '../connection.js'

/** A row of the table `collection`. */
export interface CollectionRow {
  readonly number: number
  readonly source: string
  readonly partition: string
  readonly epoch: string
  readonly version: number
  readonly mark: string
  /** The time of the last batch. */
  readonly time: number
  readonly count: number
  readonly checksum: string
  readonly floor: number
  readonly queriesRequested: number
  readonly queryRequestedAt: number | null
  readonly queriesServed: number
  readonly queriedAt: number | null
  readonly nextQuery: number | null
  readonly dueSetAt: number | null
  readonly sourceError: string | null
  readonly pendingRemovals: string | null
  readonly acceptedRemovals: string | null
  /** The sequence number of the last accepted mutation. */
  readonly sequence: number
}

export const SELECT_COLLECTION = 'SELECT * FROM collection WHERE source = ? AND partition = ?'

/** Returns the row of a collection, or undefined if it does not exist. */
export function find(connection: SqliteConnection, { source, partition }: CollectionId): CollectionRow | undefined {
  return connection.statement<CollectionRow>(SELECT_COLLECTION).get(source, partition)
}

/** Returns the head in a row that was read now. */
export function headOf(connection: SqliteConnection, row: CollectionRow): Head {
  const { epoch, version, mark, count, checksum, floor, queriesRequested, queryRequestedAt, queriesServed } = row
  const { queriedAt, nextQuery, dueSetAt, sourceError, pendingRemovals, acceptedRemovals } = row
  return {
    ...{ epoch, version, mark, count, checksum, floor, queriesRequested, queriesServed },
    ...(queryRequestedAt !== null && { queryRequestedAt }),
    ...(queriedAt !== null && { queriedAt }),
    ...(nextQuery !== null && { nextQuery }),
    ...(dueSetAt !== null && { dueSetAt }),
    readAt: connection.now(),
    ...(sourceError !== null && { sourceError: JSON.parse(sourceError) as SourceError }),
    ...(pendingRemovals !== null && { pendingRemovals: JSON.parse(pendingRemovals) as PendingRemovals }),
    ...(acceptedRemovals !== null && { acceptedRemovals }),
  }
}
