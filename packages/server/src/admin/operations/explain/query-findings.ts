import type { Finding } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { Head } from '@godwit/store'
import { isDue } from '../../../backend/query/schedule.js'

/** Returns findings about the source's last query and its next one. */
export function queryFindings({ name, methods, pollInterval }: Source, head: Head | undefined): readonly Finding[] {
  if (head === undefined)
    return [{ code: 'never_opened', message: 'This partition has never been pulled or pushed to.' }]
  if (methods.query === undefined && methods.changes === undefined) {
    return [{ code: 'no_query', message: `${name} has no query: its objects arrive only by pushes.` }]
  }
  const findings: Finding[] = [
    head.queriedAt === undefined
      ? { code: 'never_queried', message: 'No query has succeeded yet.' }
      : { code: 'queried', message: `The last successful query was at ${timeText(head.queriedAt)}.` },
  ]
  if (head.sourceError) {
    findings.push({ code: 'query_failed', message: `The last query failed: ${head.sourceError.message}` })
  }
  if (head.pendingRemovals) {
    const { count, since } = head.pendingRemovals
    const message = `${count} removals have been held back since ${timeText(since)}: there are too many to apply without confirmation.`
    findings.push({ code: 'removals_pending', message })
  }
  if (head.queriesRequested > head.queriesServed)
    findings.push({ code: 'query_requested', message: 'The next pull runs a query, which was requested.' })
  else if (pollInterval === 0)
    findings.push({ code: 'query_due', message: 'Every pull runs a query (poll_interval 0).' })
  else if (head.nextQuery !== undefined) {
    const when = isDue({ methods, pollInterval }, head) ? 'with the next pull' : `due at ${timeText(head.nextQuery)}`
    findings.push({ code: 'query_due', message: `Next query: ${when}.` })
  }
  return findings
}

// The latest possible date means never.
const timeText = (time: number): string => (time >= 8_640_000_000_000_000 ? 'never' : new Date(time).toISOString())
