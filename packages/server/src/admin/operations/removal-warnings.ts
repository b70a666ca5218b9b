import type { Warning } from '@godwit/protocol'
import type { PartitionRemovals } from '../measure/levels.js'

/** Returns a warning for each source with removals that are held back. */
export function removalWarnings(removals: readonly PartitionRemovals[]): readonly Warning[] {
  const bySource = new Map<string, PartitionRemovals[]>()
  for (const one of removals) bySource.set(one.source, [...(bySource.get(one.source) ?? []), one])
  return [...bySource].map(([source, all]) => ({ about: source, says: saysOf(all), todo: todoOf(source, all) }))
}

function saysOf(all: readonly PartitionRemovals[]): string {
  const count = all.reduce((sum, { pending }) => sum + pending.count, 0)
  const since = new Date(Math.min(...all.map(({ pending }) => pending.since))).toISOString()
  const where = all.length === 1 ? `partition ${all[0]?.partition}` : `${all.length} partitions`
  return `${count} ${count === 1 ? 'removal' : 'removals'} held back since ${since} in ${where}: a query would remove too many objects.`
}

function todoOf(source: string, all: readonly PartitionRemovals[]): string {
  const accept = `godwit sources accept ${source}`
  if (all.every(({ pending }) => pending.confirmAt === undefined))
    return `If the query result is correct, accept them: ${accept}. Otherwise, fix the query.`
  return `The next queries confirm them if the results agree. To apply those of one partition now: ${accept} USER. If the result is wrong, fix the query.`
}
