import type { Mutation } from '@godwit/protocol'
import type { Acceptance, Acceptances, CollectionId } from '@godwit/store'
import {
  decidedOwners,
  firstState,
  judgeAcceptance,
  type KeyPosition,
  rewriteIds,
  storedMutation,
  type Verdict,
  type Verdicts,
  withoutContent,
} from '@godwit/store/history'
import { type CollectionRow, find } from '../collections/head.js'
import type { SqliteConnection } from '../connection.js'
import type { Database } from '../database.js'
import { acknowledge } from './acknowledge.js'
import { clientOf, keyOf, nextOutcome, raiseHighest, recordPlace } from './clients.js'
import { doubt } from './decide.js'
import { entryOfKey, type MutationEntry, outcomeIn, toJournalEntry } from './entry.js'
import { createOf, recordOwners } from './owners.js'

/** Checks all mutations, acknowledges outcomes, then accepts each mutation. The writes are on disk with the next durable write of the store. */
export async function accept(database: Database, id: CollectionId, given: Acceptance): Promise<Acceptances> {
  const acceptance = { ...given, mutations: given.mutations.map(storedMutation) }
  return database.writeEarly(connection => {
    const collection = find(connection, id)
    if (!collection) return { refused: 'epoch', epoch: '' }
    const judged = judge(connection, collection, acceptance)
    if ('refused' in judged) return judged
    const entries = takeAll(connection, collection, { acceptance, ...judged })
    const { outcomes } = clientOf(connection, collection, acceptance.client)
    return { entries, last: outcomes, queried: collection.queriedAt !== null }
  })
}

function judge(connection: SqliteConnection, collection: CollectionRow, acceptance: Acceptance): Verdicts {
  return judgeAcceptance(acceptance, {
    epoch: collection.epoch,
    ...clientOf(connection, collection, acceptance.client),
    keyOf: number => keyOf(connection, collection, acceptance.client, number),
    placeOf: key => positionOf(connection, collection, key),
  })
}

const SELECT_PLACE = 'SELECT client, user, number FROM mutation WHERE collection = ? AND key = ?'

function positionOf(connection: SqliteConnection, { number }: CollectionRow, key: string): KeyPosition | undefined {
  return connection.statement<KeyPosition>(SELECT_PLACE).get(number, key)
}

interface AcceptContext extends Exclude<Verdicts, { readonly refused: unknown }> {
  readonly acceptance: Acceptance
}

const RECORD_SEQUENCE = 'UPDATE collection SET sequence = ? WHERE number = ?'

function takeAll(connection: SqliteConnection, collection: CollectionRow, { acceptance, verdicts }: AcceptContext) {
  const { client, acknowledged } = acceptance
  acknowledge(connection, collection, client, acknowledged)
  let { sequence } = collection
  const next = () => ++sequence
  const entries = verdicts.map(verdict => takeOne(connection, collection, { acceptance, verdict, next }))
  if (sequence > collection.sequence) connection.statement(RECORD_SEQUENCE).run(sequence, collection.number)
  const counted = verdicts.filter(({ verdict }) => verdict !== 'known').map(({ mutation }) => mutation.number)
  if (counted.length > 0) raiseHighest(connection, collection, client, Math.max(...counted))
  return entries.map(entry => toJournalEntry(entry, collection))
}

interface AcceptOneContext {
  readonly acceptance: Acceptance
  readonly verdict: Verdict
  /** Returns the next sequence number. */
  readonly next: () => number
}

function takeOne(
  connection: SqliteConnection,
  collection: CollectionRow,
  { acceptance, verdict: { verdict, mutation }, next }: AcceptOneContext,
): MutationEntry {
  const known = verdict === 'new' ? undefined : entryOfKey(connection, collection, mutation.key)
  if (!known) return add(connection, collection, { acceptance, mutation, sequence: next() })
  if (verdict === 'known') return known
  return move(connection, collection, known, { client: acceptance.client, number: mutation.number })
}

const MOVE = 'UPDATE mutation SET client = ?, number = ?, content = ?, outcomeNumber = ?, outcome = ? WHERE row = ?'

/** Moves an entry to another client or number; its outcome gets a new number there. */
function move(
  connection: SqliteConnection,
  collection: CollectionRow,
  entry: MutationEntry,
  { client, number }: { readonly client: string; readonly number: number },
): MutationEntry {
  const mutation = { ...entry.mutation, number }
  const content = JSON.stringify(mutation)
  const before = outcomeIn(entry)
  const given = before && { ...before, number, outcome: nextOutcome(connection, collection, client) }
  const outcome = given ? JSON.stringify(given) : null
  connection.statement(MOVE).run(client, number, content, given?.outcome ?? null, outcome, entry.row)
  recordPlace(connection, collection, { client, number, key: mutation.key })
  return { ...entry, client, number, mutation, content, outcome }
}

const INSERT = `
INSERT INTO mutation (collection, key, client, number, user, sequence, isCreate, object, content, contentless)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

interface Addition {
  readonly acceptance: Acceptance
  readonly mutation: Mutation
  /** Its sequence number, in order of acceptance. */
  readonly sequence: number
}

/** Adds a mutation to the journal. */
function add(
  connection: SqliteConnection,
  collection: CollectionRow,
  { acceptance, mutation, sequence }: Addition,
): MutationEntry {
  const linked = rewriteIds(mutation, decidedOwners(mutation, createOf(connection, collection)))
  const kept = acceptance.contentless ? withoutContent(linked) : linked
  const entry = insert(connection, collection, { acceptance, mutation: kept, sequence })
  const { key, number } = mutation
  recordPlace(connection, collection, { client: acceptance.client, number, key })
  recordOwners(connection, collection, entry)
  if (firstState(mutation, acceptance) === 'queued') return entry
  doubt(connection, { collection, entry })
  return entryOfKey(connection, collection, key) ?? entry
}

function insert(
  connection: SqliteConnection,
  collection: CollectionRow,
  { acceptance, mutation, sequence }: Addition,
): MutationEntry {
  const { client, user } = acceptance
  const { key, number, operation, object } = mutation
  const content = JSON.stringify(mutation)
  const contentless = Number(acceptance.contentless ?? false)
  const names = [collection.number, key, client, number, user, sequence] as const
  const row = connection
    .statement(INSERT)
    .run(...names, Number(operation === 'create'), object, content, contentless).lastInsertRowid
  return {
    ...{ row: Number(row), client, number, user, sequence, content, contentless, mutation },
    ...{ state: 'queued', attempts: 0, fence: 0, retryAt: 0, waitsSince: 0, firstStart: null, outcome: null },
  }
}
