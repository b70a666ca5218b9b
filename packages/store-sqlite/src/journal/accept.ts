import type { Mutation } from '@godwit/protocol'
import type { Acceptance, Acceptances, CollectionId } from '@godwit/store'
import { judgeAcceptance, type Place, storedMutation, type Verdicts } from '@godwit/store/history'
import { type CollectionRow, find } from '../collections/head.js'
import type { Connection } from '../connection.js'
import type { Database } from '../database.js'
import { acknowledge } from './acknowledge.js'
import { add } from './add.js'
import { clientOf, keyOf, raiseHighest } from './clients.js'
import { entryOfKey, shown } from './entry.js'
import { move } from './move.js'

/** judge all → acknowledge → take each. Runs at once; on disk with the next durable step of the store. */
export async function accept(database: Database, id: CollectionId, given: Acceptance): Promise<Acceptances> {
  const acceptance = { ...given, mutations: given.mutations.map(storedMutation) }
  return database.writeEarly(connection => {
    const collection = find(connection, id)
    if (!collection) return { refused: 'epoch', epoch: '' }
    const judged = judge(connection, collection, acceptance)
    return 'refused' in judged ? judged : { entries: take(connection, collection, { acceptance, ...judged }) }
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

interface Taking extends Exclude<Verdicts, { readonly refused: unknown }> {
  readonly acceptance: Acceptance
}

function take(connection: Connection, collection: CollectionRow, { acceptance, verdicts }: Taking) {
  const { client, acknowledged } = acceptance
  acknowledge(connection, collection, client, acknowledged)
  const entries = verdicts.map(({ verdict, mutation }) => {
    const known = entryOfKnown(connection, collection, { verdict, mutation })
    if (!known) return add(connection, collection, { acceptance, mutation })
    return verdict === 'moved' ? move(connection, collection, known, { client, number: mutation.number }) : known
  })
  raiseHighest(connection, collection, client, Math.max(0, ...verdicts.map(({ mutation }) => mutation.number)))
  return entries.map(entry => shown(entry, collection))
}

/** One that came twice in this push is known when it comes again. */
function entryOfKnown(
  connection: Connection,
  collection: CollectionRow,
  { verdict, mutation }: { readonly verdict: string; readonly mutation: Mutation },
) {
  return verdict === 'new' ? undefined : entryOfKey(connection, collection, mutation.key)
}
