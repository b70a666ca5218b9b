import type { Mutation } from '@godwit/protocol'
import type { Acceptance, Acceptances, CollectionId, JournalEntry } from '@godwit/store'
import { patchText, storedMutation } from '@godwit/store/history'
import type { RedisConnection } from '../connection.js'
import type { RedisReply } from '../redis-handle.js'
import { acceptScript, judgeScript } from '../scripts/accept.js'
import { entryWithFence } from './entry.js'
import { inTurn } from './in-turn.js'
import { enterUndecided } from './undecided-entries.js'

/** Limits of one step: mutations, and characters of their arguments. */
const BATCH_SIZE = 100
const LENGTH = 65_536

type RefusedPush = Exclude<Acceptances, { readonly entries: unknown }>

/** Checks the push, acknowledges outcomes, then accepts each mutation. A large push is checked as a whole first, then accepted in parts. */
export async function accept(
  connection: RedisConnection,
  collection: CollectionId,
  { client, user, epoch, acknowledged, mutations, idempotent, contentless }: Acceptance,
): Promise<Acceptances> {
  const facts = [client.toWellFormed(), user.toWellFormed(), epoch, acknowledged]
  const parts = partsOf(mutations.map(storedMutation).map(mutationArguments))
  if (parts.length > 1) {
    const names = parts.flat().flatMap(one => one.slice(0, 2))
    const judged = await inTurn(connection, collection, judgeScript, [...facts, ...names])
    const refused = refusalIn(judged as readonly RedisReply[])
    if (refused) return refused
  }
  const entries: JournalEntry[] = []
  let now = { last: 0, queried: false }
  for (const part of parts) {
    const taken = await take(connection, collection, [...facts, idempotent, contentless, ...part.flat()])
    if ('refused' in taken) return taken
    const { entries: more, ...rest } = taken
    entries.push(...more)
    now = rest
  }
  return { entries, ...now }
}

/** Returns at least one part; an empty push still acknowledges. */
function partsOf(mutations: readonly MutationArguments[]): readonly (readonly MutationArguments[])[] {
  const parts: MutationArguments[][] = [[]]
  let length = 0
  for (const mutation of mutations) {
    const own = mutation.reduce<number>((sum, value) => sum + `${value ?? ''}`.length, 0)
    const part = parts.at(-1) as MutationArguments[]
    const isFull = part.length === BATCH_SIZE || (part.length > 0 && length + own > LENGTH)
    if (isFull) parts.push([mutation])
    else part.push(mutation)
    length = isFull ? own : length + own
  }
  return parts
}

async function take(
  connection: RedisConnection,
  collection: CollectionId,
  values: Parameters<RedisConnection['run']>[2],
): Promise<Acceptances> {
  for (;;) {
    const answer = (await inTurn(connection, collection, acceptScript, values)) as readonly RedisReply[]
    const refused = refusalIn(answer)
    if (refused) return refused
    const [kind, isListed, last, queriedAt, ...entries] = answer
    // One step acknowledges a limited number of outcomes; repeat for the rest.
    if (kind === 'acknowledged') continue
    if (isListed === 0) await enterUndecided(connection, collection)
    return {
      entries: entries.map(entry => entryWithFence(entry, collection).entry),
      last: Number(last),
      queried: queriedAt !== null,
    }
  }
}

function refusalIn([kind, second]: readonly RedisReply[]): RefusedPush | undefined {
  if (kind === 'epoch') return { refused: 'epoch', epoch: `${second}` }
  if (kind === 'gap') return { refused: 'gap', expected: Number(second) }
  return kind === 'forked' ? { refused: 'forked' } : undefined
}

type MutationArguments = readonly [key: string, number: number, ...(string | number | undefined)[]]

/** The script arguments of a mutation: the fields that scripts read, and the rest as JSON. */
function mutationArguments(mutation: Mutation): MutationArguments {
  const { number, key, operation, object, attributes, was, was_digests, changed, seen, owners = [], ...rest } = mutation
  return [
    key,
    number,
    ...[operation, object, seen, rest.sent ? '1' : ''],
    attributes && patchText(attributes),
    was && patchText(was),
    changed && JSON.stringify(changed),
    Object.keys(rest).length > 0 ? JSON.stringify(rest) : undefined,
    was_digests && JSON.stringify(was_digests),
    ...[owners.length, ...owners],
  ]
}
