import type { SourceError } from '@godwit/protocol'
import type { Head } from '@godwit/store'

/** Returns what devices are told of a partition: why its last query failed, or that removals are held back. Undefined: neither. */
export function queryError({ sourceError, pendingRemovals }: Head): SourceError | undefined {
  if (sourceError !== undefined || pendingRemovals === undefined) return sourceError
  const { count, confirmAt } = pendingRemovals
  const says =
    count === 1
      ? '1 entry here may no longer exist, or may no longer be yours. It stays'
      : `${count} entries here may no longer exist, or may no longer be yours. They stay`
  const until = confirmAt === undefined ? 'an operator of the server confirms the removal' : 'the removal is confirmed'
  return { code: 'removals_pending', message: `${says} until ${until}. Everything else is up to date.` }
}
