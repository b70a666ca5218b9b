import type { Explain, Explanation, Finding, ObjectId } from '@godwit/protocol'
import type { CollectionId, JournalEntry, StoredObjectState, UndecidedCursor } from '@godwit/store'
import type { Engine } from '../engine.js'
import { isDue } from '../query/schedule.js'
import { collectionOf } from '../sources/partition-of.js'
import type { Source } from '../sources/source.js'
import { type ClientRecord, clientOf } from '../users/client-record.js'
import { confirmedPosition, isConfirmed } from '../users/confirmed-positions.js'
import { isBarred, isLocked } from '../users/user-record.js'

type ExplainEngine = Pick<Engine, 'store' | 'sources'>

/**
 * Explains why an object is or is not on a device: user → source → query → object → its undecided changes → client. It only reads and calls no
 * source.
 */
export async function explain(
  engine: ExplainEngine,
  { source: name, user, object, client }: Explain,
): Promise<Explanation> {
  const source = engine.sources.find(name)
  const findings = [...(await userFindings(engine, user)), ...sourceFindings(source, name)]
  if (source === undefined || findings.some(({ code }) => code === 'user_unknown')) return { on_device: 'no', findings }
  const collection = collectionOf(source, user)
  const present = await engine.store.collections.look(collection, object)
  const seen = await clientFindings(engine, client, { user, collection, object, present })
  findings.push(
    { code: 'partition', message: `${user} reads the partition ${collection.partition} of ${name}.` },
    ...(await queryFindings(engine, source, collection)),
    objectFinding(present),
    ...(await mutationFindings(engine, collection, object)),
    ...seen,
  )
  return { on_device: verdict(present, seen), findings }
}

async function userFindings({ store }: ExplainEngine, user: string): Promise<readonly Finding[]> {
  if (user === '*') return []
  const record = await store.registry.get('user', user)
  if (!record) return [{ code: 'user_unknown', message: `There is no user ${JSON.stringify(user)}.` }]
  if (isLocked(record))
    return [{ code: 'user_locked', message: `The user ${user} is locked out: no device can log in.` }]
  if (!isBarred(record)) return []
  return [{ code: 'user_barred', message: `The user ${user} is being deleted and cannot log in.` }]
}

function sourceFindings(source: Source | undefined, name: string): readonly Finding[] {
  if (!source) return [{ code: 'source_unknown', message: `There is no source ${JSON.stringify(name)}.` }]
  if (source.syncType !== 'bulk_only') return []
  return [{ code: 'bulk_only', message: `${name} is bulk_only: devices get it as a file, and no pull brings it.` }]
}

/** Findings about the source's last query and its next one. */
async function queryFindings(
  { store }: Pick<Engine, 'store'>,
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
      : { code: 'queried', message: `A query last succeeded at ${timeText(head.queriedAt)}.` },
  ]
  if (head.sourceError) {
    findings.push({ code: 'query_failed', message: `The last query failed: ${head.sourceError.message}` })
  }
  if (head.pendingRemovals) {
    const { count, since } = head.pendingRemovals
    const message = `${count} removals are held back since ${timeText(since)}: they are too many to be applied unconfirmed.`
    findings.push({ code: 'removals_pending', message })
  }
  if (head.asked > head.served)
    findings.push({ code: 'query_asked', message: 'The next pull runs a query: one was asked for.' })
  else if (pollInterval === 0)
    findings.push({ code: 'query_due', message: 'Every pull runs a query (poll_interval 0).' })
  else if (head.nextQuery !== undefined) {
    const when = isDue({ methods, pollInterval }, head)
      ? 'the next pull runs one'
      : `it is due at ${timeText(head.nextQuery)}`
    findings.push({ code: 'query_due', message: `The next query: ${when}.` })
  }
  return findings
}

// The latest possible date means never.
const timeText = (time: number): string => (time >= 8_640_000_000_000_000 ? 'never' : new Date(time).toISOString())

function objectFinding(present: StoredObjectState): Finding {
  if (present.state === 'live') {
    return { code: 'object_present', message: `The server has it, at version ${present.version}.` }
  }
  if (present.state === 'gone') {
    return { code: 'object_removed', message: `It was removed, with version ${present.version}.` }
  }
  const why = 'no query answered it and no push brought it, or its removal is long ago'
  return { code: 'object_unknown', message: `The server does not know it: ${why}.` }
}

const PAGE = 500
/** The number of pages searched; a server with more undecided mutations has another problem. */
const PAGES = 20

const MEANING = {
  queued: 'waits for its turn',
  started: 'was begun, and the process that ran it is gone; it will be taken up again',
  in_doubt: 'was sent to the backend and its effect is not known; an operator decides',
} as const

/** Returns findings about undecided changes of the object. */
async function mutationFindings(
  { store }: Pick<Engine, 'store'>,
  { source, partition }: CollectionId,
  object: ObjectId,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const state of ['queued', 'started', 'in_doubt'] as const) {
    let after: UndecidedCursor | undefined
    for (let page = 0; page < PAGES; page++) {
      const entries: readonly JournalEntry[] = await store.journal.undecided({ state, after, limit: PAGE })
      for (const { collection, mutation, client, attempts } of entries) {
        if (collection.source !== source || collection.partition !== partition || mutation.object !== object) continue
        const what = `The ${mutation.operation} ${mutation.number} of the client ${client}`
        findings.push({ code: `mutation_${state}`, message: `${what} ${MEANING[state]} (attempts: ${attempts}).` })
      }
      const last = entries.at(-1)
      if (last === undefined || entries.length < PAGE) break
      after = { collection: last.collection, sequence: last.sequence }
    }
  }
  return findings
}

interface ExplainSubject {
  readonly user: string
  readonly collection: CollectionId
  readonly object: ObjectId
  readonly present: StoredObjectState
}

/** The number of a user's clients examined. */
const MAX_CLIENTS = 100

/** Findings about the requested client, or else about each of the user's. */
async function clientFindings(
  { store }: ExplainEngine,
  client: string | undefined,
  looking: ExplainSubject,
): Promise<readonly Finding[]> {
  const { user } = looking
  if (client === undefined) {
    if (user === '*') return []
    const records = await store.registry.list('client', { owner: user, limit: MAX_CLIENTS + 1 })
    const looked = records.slice(0, MAX_CLIENTS).map(record => clientFinding(store, clientOf(record), looking))
    const findings = await Promise.all(looked)
    if (records.length <= MAX_CLIENTS) return findings
    return [...findings, { code: 'clients_more', message: `${user} has more clients; name one to ask about it.` }]
  }
  const record = await store.registry.get('client', client)
  if (!record) return [{ code: 'client_unknown', message: `There is no client ${JSON.stringify(client)}.` }]
  if (user !== '*' && record.owner !== user)
    return [{ code: 'client_of_another_user', message: `The client ${client} belongs to ${record.owner}.` }]
  return [await clientFinding(store, clientOf(record), looking)]
}

/** Positions are recorded at intervals, so a device may have more than this says, never less. */
async function clientFinding(
  store: ExplainEngine['store'],
  client: ClientRecord,
  { collection, object, present }: ExplainSubject,
): Promise<Finding> {
  const confirmed = await confirmedPosition(store, client, collection)
  const who = `The client ${client.id}`
  if (!confirmed)
    return { code: 'client_never_asked', message: `${who} never pulled this source; its first pull brings all.` }
  const { version, id, at } = confirmed
  const stood = id === undefined ? `it stood at version ${version}` : 'it was within a pass from zero'
  const since = `at its last note, ${new Date(at).toISOString()}, ${stood}`
  const knows =
    present.state === 'never' ? id === undefined : isConfirmed(confirmed, { id: object, version: present.version })
  if (knows) return { code: 'client_has_it', message: `${who} knows how it stands: ${since}.` }
  const what = present.state === 'never' ? 'finished its pass' : `confirmed version ${present.version}`
  return { code: 'client_behind', message: `${who} has not ${what}: ${since}.` }
}

/** With several clients, one that lacks the object decides. */
function verdict(present: StoredObjectState, seen: readonly Finding[]): Explanation['on_device'] {
  const codes = new Set(seen.map(({ code }) => code))
  if (codes.has('client_unknown') || codes.has('client_of_another_user')) return 'no'
  if (present.state === 'live') return codes.size === 1 && codes.has('client_has_it') ? 'yes' : 'next_pull'
  return present.state === 'gone' && codes.has('client_behind') ? 'until_next_pull' : 'no'
}
