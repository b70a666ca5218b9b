import type { FeedBatch, FeedChange, FeedTarget } from '@godwit/source'
import type { SourceRow } from '../read.js'
import type { WatchedTable } from './change-log.js'
import type { LoggedChange, StepResult } from './step.js'

/** Rows by source and key. */
export type SourceRows = ReadonlyMap<string, ReadonlyMap<string, SourceRow>>

/** The keys of a source's changes, each with the partitions that it was in. */
export function partitionsByKey(
  changes: readonly LoggedChange[],
  source: string,
): ReadonlyMap<string, ReadonlySet<string | null>> {
  const keys = new Map<string, Set<string | null>>()
  const add = (key: string | null, owner: string | null): void => {
    if (key === null) return
    const owners = keys.get(key)
    if (owners) owners.add(owner)
    else keys.set(key, new Set([owner]))
  }
  for (const { src, old_key, old_owner, new_key, new_owner } of changes) {
    if (src !== source) continue
    add(old_key, old_owner)
    add(new_key, new_owner)
  }
  return keys
}

/** The changes of a step as a feed delivers them: every partition that a row was in learns that it is gone, or how it is now. */
export function feedChanges(
  tables: readonly WatchedTable[],
  { changes, rows }: Pick<StepResult<SourceRows>, 'changes' | 'rows'>,
): readonly FeedChange[] {
  const all: FeedChange[] = []
  for (const { source, owner } of tables)
    for (const [id, partitions] of partitionsByKey(changes, source)) {
      const row = rows.get(source)?.get(id)
      const target = (partition: string | null): FeedTarget =>
        owner === undefined ? { source } : { source, partition: partition ?? '' }
      if (owner === undefined) {
        all.push({ ...target(null), id, attributes: row?.attributes ?? null })
        continue
      }
      for (const partition of partitions)
        if (partition !== null && row?.owner !== partition) all.push({ ...target(partition), id, attributes: null })
      if (row && row.owner !== null) all.push({ ...target(row.owner), id, attributes: row.attributes })
    }
  return all
}

/** The sources whose changes are unknown: a truncated table, or one whose triggers or columns are other ones. */
export function rereadTargets({
  changes,
  changed,
}: Pick<StepResult<unknown>, 'changes' | 'changed'>): NonNullable<FeedBatch['reread']> {
  const truncated = changes.filter(({ kind }) => kind === 'T').map(({ src }) => src)
  return [...new Set([...truncated, ...changed])].map(source => ({ source }))
}
