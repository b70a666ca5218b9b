import type { Finding } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import type { Engine } from '../engine.js'
import type { Source } from '../sources/source.js'

/** What became of the source's last query, and when the next one is. */
export async function queryFindings(
  { store, clock }: Pick<Engine, 'store' | 'clock'>,
  { name, methods, pollInterval }: Source,
  collection: CollectionId,
): Promise<readonly Finding[]> {
  const head = await store.collections.head(collection)
  if (head === undefined)
    return [{ code: 'never_opened', message: 'Nobody has pulled this partition or pushed to it.' }]
  if (methods.query === undefined) {
    return [{ code: 'no_query', message: `${name} has no query: its objects come by pushes alone.` }]
  }
  const findings: Finding[] = [
    head.queriedAt === undefined
      ? { code: 'never_queried', message: 'No query of it has succeeded yet.' }
      : { code: 'queried', message: `A query last succeeded at ${iso(head.queriedAt)}.` },
  ]
  if (head.sourceError) {
    findings.push({ code: 'query_failed', message: `The last query failed: ${head.sourceError.message}` })
  }
  if (head.asked > head.served)
    findings.push({ code: 'query_asked', message: 'The next pull runs a query: one was asked for.' })
  else if (pollInterval === 0)
    findings.push({ code: 'query_due', message: 'Every pull runs a query (poll_interval 0).' })
  else if (head.nextQuery !== undefined) {
    const when = head.nextQuery <= clock() ? 'the next pull runs one' : `it is due at ${iso(head.nextQuery)}`
    findings.push({ code: 'query_due', message: `The next query: ${when}.` })
  }
  return findings
}

// The last date there is stands for never.
const iso = (time: number): string => (time >= 8_640_000_000_000_000 ? 'never' : new Date(time).toISOString())
