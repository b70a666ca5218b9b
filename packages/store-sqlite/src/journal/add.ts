import type { Mutation } from '@godwit/protocol'
import type { Acceptance } from '@godwit/store'
import { decidedOwners, firstState, rewritten, withoutContent } from '@godwit/store/history'
import type { CollectionRow } from '../collections/head.js'
import type { Connection } from '../connection.js'
import { notePlace } from './clients.js'
import { doubt } from './decide.js'
import { type Entry, entryOfKey } from './entry.js'
import { createOf, noteOwners } from './owners.js'

const NEXT_SEQUENCE = 'UPDATE collection SET sequence = sequence + 1 WHERE number = ? RETURNING sequence'

const INSERT = `
INSERT INTO mutation (collection, key, client, number, user, sequence, isCreate, object, content, contentless)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Journals a new mutation. */
export function add(
  connection: Connection,
  collection: CollectionRow,
  { acceptance, mutation }: { readonly acceptance: Acceptance; readonly mutation: Mutation },
): Entry {
  const linked = rewritten(mutation, decidedOwners(mutation, createOf(connection, collection)))
  const entry = insert(connection, collection, acceptance, acceptance.contentless ? withoutContent(linked) : linked)
  const { key, number } = mutation
  notePlace(connection, collection, { client: acceptance.client, number, key })
  noteOwners(connection, collection, entry)
  if (firstState(mutation, acceptance) === 'queued') return entry
  doubt(connection, { collection, entry })
  return entryOfKey(connection, collection, key) ?? entry
}

function insert(connection: Connection, collection: CollectionRow, acceptance: Acceptance, mutation: Mutation): Entry {
  const { client, user } = acceptance
  const { key, number, operation, object } = mutation
  const sequence = nextSequence(connection, collection)
  const content = JSON.stringify(mutation)
  const contentless = Number(acceptance.contentless ?? false)
  const names = [collection.number, key, client, number, user, sequence] as const
  const row = connection
    .statement(INSERT)
    .run(...names, Number(operation === 'create'), object, content, contentless).lastInsertRowid
  return {
    ...{ row: Number(row), client, number, user, sequence, content, contentless, mutation },
    ...{ state: 'queued', attempts: 0, fence: 0, retryAt: 0, firstStart: null, outcome: null },
  }
}

function nextSequence(connection: Connection, { number }: CollectionRow): number {
  const updated = connection.statement<{ readonly sequence: number }>(NEXT_SEQUENCE).get(number)
  return updated?.sequence ?? 0
}
