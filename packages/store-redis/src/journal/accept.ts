import type { Mutation } from '@godwit/protocol'
import type { Acceptance, Acceptances, CollectionId, Refused } from '@godwit/store'
import { patchText, storedMutation } from '@godwit/store/history'
import type { Connection } from '../connection.js'
import type { Reply } from '../redis-handle.js'
import { acceptScript } from '../scripts/accept.js'
import { told } from './entry.js'
import { enterUndecided } from './undecided.js'

export async function accept(
  connection: Connection,
  collection: CollectionId,
  { client, user, epoch, acknowledged, mutations, idempotent, contentless }: Acceptance,
): Promise<Acceptances> {
  const facts = [client.toWellFormed(), user.toWellFormed(), epoch, acknowledged, idempotent, contentless]
  const given = mutations.flatMap(mutation => mutationArguments(storedMutation(mutation)))
  const answer = await connection.run(acceptScript, connection.keys.of(collection), [...facts, ...given])
  const [kind, second, ...entries] = answer as readonly Reply[]
  if (kind === 'epoch') return { refused: 'epoch', epoch: `${second}` }
  if (kind === 'gap') return { refused: 'gap', expected: Number(second) }
  if (kind === 'forked') return { refused: 'forked' } satisfies Refused<'forked'>
  if (second === null) await enterUndecided(connection, collection)
  return { entries: entries.map(entry => told(entry, collection).entry) }
}

/** What decides stands by itself; the rest is carried as JSON. */
function mutationArguments(mutation: Mutation): readonly (string | number | undefined)[] {
  const { number, key, operation, object, attributes, was, changed, seen, owners = [], ...rest } = mutation
  return [
    ...[key, number, operation, object, seen, rest.sent ? '1' : ''],
    attributes && patchText(attributes),
    was && patchText(was),
    changed && JSON.stringify(changed),
    Object.keys(rest).length > 0 ? JSON.stringify(rest) : undefined,
    ...[owners.length, ...owners],
  ]
}
