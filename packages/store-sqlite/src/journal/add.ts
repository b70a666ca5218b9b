import type { Mutation } from '@godwit/protocol'
import type { Acceptance } from '@godwit/store'
import { decidedOwners, firstState, rewriteIds, withoutContent } from '@godwit/store/history'
import type { CollectionRow } from '../collections/head.js'
import type { SqliteConnection } from '../connection.js'
import { notePlace } from './clients.js'
import { doubt } from './decide.js'
import { entryOfKey, type MutationEntry } from './entry.js'
import { createOf, noteOwners } from './owners.js'

const INSERT = `
INSERT INTO mutation (collection, key, client, number, user, sequence, isCreate, object, content, contentless)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

export interface Addition {
  readonly acceptance: Acceptance
  readonly mutation: Mutation
  /** Its place in the order of acceptance. */
  readonly sequence: number
}

/** Journals a new mutation. */
export function add(
  connection: SqliteConnection,
  collection: CollectionRow,
  { acceptance, mutation, sequence }: Addition,
): MutationEntry {
  const linked = rewriteIds(mutation, decidedOwners(mutation, createOf(connection, collection)))
  const kept = acceptance.contentless ? withoutContent(linked) : linked
  const entry = insert(connection, collection, { acceptance, mutation: kept, sequence })
  const { key, number } = mutation
  notePlace(connection, collection, { client: acceptance.client, number, key })
  noteOwners(connection, collection, entry)
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
