import type { CollectionId } from '@godwit/store'
import type { Database } from '../database.js'
import type { SqlValue } from '../sqlite-handle.js'

export interface CollectionsPage {
  readonly source?: string | undefined
  readonly partition?: string | undefined
  readonly after?: CollectionId | undefined
  readonly limit: number
  /** Only collections with removals that were held back. */
  readonly pending?: boolean
}

export function collections(database: Database, page: CollectionsPage): Promise<readonly CollectionId[]> {
  return database.read(connection => {
    const { where, values } = conditions(page)
    const sql = `SELECT source, partition FROM collection WHERE ${where} ORDER BY source, partition LIMIT ?`
    return connection.statement<CollectionId>(sql).all(...values, page.limit)
  })
}

function conditions({ source, partition, after, pending }: CollectionsPage): {
  where: string
  values: readonly SqlValue[]
} {
  const parts: readonly (readonly [string, readonly SqlValue[]])[] = [
    [pending ? 'pendingRemovals IS NOT NULL' : 'true', []],
    ...(source === undefined ? [] : [['source = ?', [source]] as const]),
    ...(partition === undefined ? [] : [['partition = ?', [partition]] as const]),
    ...(after ? [['(source, partition) > (?, ?)', [after.source, after.partition]] as const] : []),
  ]
  return { where: parts.map(([sql]) => sql).join(' AND '), values: parts.flatMap(([, values]) => values) }
}
