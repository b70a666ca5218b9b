import type { Acceptance, Acceptances, CollectionId } from '@godwit/store'
import {
  decidedOwners,
  firstState,
  judgeAcceptance,
  type Place,
  rewritten,
  storedMutation,
  type Verdict,
  type Verdicts,
  withoutContent,
} from '@godwit/store/history'
import { type CollectionRow, find } from '../collections/head.js'
import type { Connection } from '../connection.js'
import type { Database } from '../database.js'
import { acknowledge } from './acknowledge.js'
import { clientOf, keyOf, nextOutcome, notePlace, raiseHighest } from './clients.js'
import { doubt } from './decide.js'
import { COLUMNS, entryOf, type MutationRow, mutationOf, outcomeOfRow, shown } from './entry.js'
import { createOf, noteOwners } from './owners.js'

/** Runs at once; on disk with the next durable step of the store. */
export async function accept(database: Database, id: CollectionId, given: Acceptance): Promise<Acceptances> {
  const acceptance = { ...given, mutations: given.mutations.map(storedMutation) }
  return database.writeEarly(connection => {
    const collection = find(connection, id)
    if (!collection) return { refused: 'epoch', epoch: '' }
    const judged = judge(connection, collection, acceptance)
    if ('refused' in judged) return judged
    acknowledge(connection, collection, acceptance.client, acceptance.acknowledged)
    const entries = judged.verdicts.map(verdict => take(connection, collection, acceptance, verdict))
    const highest = Math.max(0, ...judged.verdicts.map(({ mutation }) => mutation.number))
    raiseHighest(connection, collection, acceptance.client, highest)
    return { entries: entries.map(entry => shown(entry, collection)) }
  })
}

function judge(connection: Connection, collection: CollectionRow, acceptance: Acceptance): Verdicts {
  return judgeAcceptance(acceptance, {
    epoch: collection.epoch,
    ...clientOf(connection, collection, acceptance.client),
    keyOf: number => keyOf(connection, collection, acceptance.client, number),
    placeOf: key => placeOf(connection, collection, key),
  })
}

const SELECT_PLACE = 'SELECT client, user, number FROM mutation WHERE collection = ? AND key = ?'

function placeOf(connection: Connection, { number }: CollectionRow, key: string): Place | undefined {
  return connection.statement<Place>(SELECT_PLACE).get(number, key)
}

function take(
  connection: Connection,
  collection: CollectionRow,
  acceptance: Acceptance,
  { verdict, mutation }: Verdict,
): MutationRow {
  const known = verdict === 'new' ? undefined : entryOf(connection, collection, mutation.key)
  if (!known) return add(connection, collection, acceptance, mutation)
  if (verdict === 'moved') move(connection, collection, known, { client: acceptance.client, number: mutation.number })
  return reread(connection, collection, mutation.key)
}

const NEXT_SEQUENCE = 'UPDATE collection SET sequence = sequence + 1 WHERE number = ? RETURNING sequence'

const INSERT = `
INSERT INTO mutation (collection, key, client, number, user, sequence, operation, object, content, contentless)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${COLUMNS}`

function add(
  connection: Connection,
  collection: CollectionRow,
  acceptance: Acceptance,
  given: Verdict['mutation'],
): MutationRow {
  const { client, user, contentless = false } = acceptance
  const linked = rewritten(given, decidedOwners(given, createOf(connection, collection)))
  const mutation = contentless ? withoutContent(linked) : linked
  const { key, number, operation, object } = mutation
  const { sequence } = connection.statement<{ sequence: number }>(NEXT_SEQUENCE).get(collection.number) as {
    sequence: number
  }
  const content = JSON.stringify(mutation)
  const values = [
    collection.number,
    key,
    client,
    number,
    user,
    sequence,
    operation,
    object,
    content,
    Number(contentless),
  ]
  const entry = connection.statement<MutationRow>(INSERT).get(...values) as MutationRow
  notePlace(connection, collection, { client, number, key })
  noteOwners(connection, collection, entry.row, mutation)
  if (firstState(mutation, acceptance) === 'queued') return entry
  doubt(connection, { collection, entry })
  return reread(connection, collection, key)
}

const MOVE = 'UPDATE mutation SET client = ?, number = ?, content = ?, outcomeNumber = ?, outcome = ? WHERE row = ?'

/** Under another client or number: what was decided gets a new outcome number there. */
function move(
  connection: Connection,
  collection: CollectionRow,
  entry: MutationRow,
  { client, number }: { readonly client: string; readonly number: number },
): void {
  const mutation = { ...mutationOf(entry), number }
  const before = outcomeOfRow(entry)
  const outcome = before && { ...before, number, outcome: nextOutcome(connection, collection, client) }
  const outcomeText = outcome ? JSON.stringify(outcome) : null
  const values = [client, number, JSON.stringify(mutation), outcome?.outcome ?? null, outcomeText, entry.row]
  connection.statement(MOVE).run(...values)
  notePlace(connection, collection, { client, number, key: entry.key })
}

const reread = (connection: Connection, collection: CollectionRow, key: string) =>
  entryOf(connection, collection, key) as MutationRow
