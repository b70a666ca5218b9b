import type { Attributes, Digests, Mutation, Operation, Outcome, OutcomeStatus, SourceError } from '@godwit/protocol'
import type { CollectionId, JournalEntry, MovedObject, MutationState, StoredObjectState } from '@godwit/store'
import { parseAttributes } from '@godwit/store/history'
import type { RedisReply } from '../redis-handle.js'

/** A journal entry in a script's reply, with the fields in the order of `entries`. */
type EntryFields = readonly [
  key: string,
  client: string,
  user: string,
  sequence: number,
  contentless: number | null,
  state: MutationState,
  attempts: number,
  fence: number,
  leasedUntil: number,
  retryAt: number | null,
  number: number,
  operation: Operation,
  object: string,
  owners: readonly string[] | null,
  seen: number | null,
  attributes: string | null,
  was: string | null,
  changed: string | null,
  rest: string | null,
  first: FirstFields | null,
  outcome: OutcomeFields | null,
  waitsSince: number | null,
  wasDigests: string | null,
]

type FirstFields = readonly [state: StoredObjectState['state'], version: number, text: string | null, head: number]

/** An outcome in a script's reply; attributes, error, overwrote and moved are JSON; the last two may be missing. */
export type OutcomeFields = readonly [
  outcome: number,
  status: Exclude<OutcomeStatus, 'queued'>,
  link: string | null,
  object: string | null,
  version: number,
  attributes: string | null,
  error: string | null,
  removed: 1 | null,
  overwrote?: string | null,
  moved?: string | null,
]

/** A journal entry, with fields that the store interface does not show. */
export interface EntryWithFence {
  readonly entry: JournalEntry
  /** The fence of its last start. */
  readonly fence: number
  readonly before: StoredObjectState | undefined
}

/** Parses a journal entry from a script's reply. */
export function entryWithFence(reply: RedisReply, collection: CollectionId): EntryWithFence {
  const fields = reply as unknown as EntryFields
  const [, client, user, sequence, , state, attempts, fence, , , number] = fields
  const [first, outcome] = [fields[19], fields[20]]
  const mutation = mutationOf(fields)
  const given = outcome ? { outcome: outcomeOf(number, outcome) } : {}
  const entry = { collection, client, user, sequence, mutation, state, attempts, ...given }
  return { entry, fence, before: first ? beforeIn(first) : undefined }
}

function mutationOf(fields: EntryFields): Mutation {
  const [key, , , , , , , , , , number, operation, object, owners, seen, attributes, was, changed, rest] = fields
  const wasDigests = fields[22]
  return {
    ...{ number, key, operation, object },
    ...(attributes !== null && { attributes: JSON.parse(attributes) as Attributes }),
    ...(was !== null && { was: JSON.parse(was) as Attributes }),
    ...(wasDigests !== null && { was_digests: JSON.parse(wasDigests) as Digests }),
    ...(changed !== null && { changed: JSON.parse(changed) as readonly string[] }),
    ...(seen !== null && { seen }),
    ...(owners !== null && { owners }),
    ...(rest !== null && (JSON.parse(rest) as object)),
  }
}

/** Parses an outcome from a script's reply. `number` is the mutation's number. */
export function outcomeOf(number: number, fields: OutcomeFields): Outcome {
  const [outcome, status, link, object, version, attributes, error, removed, overwrote, moved] = fields
  const target = typeof moved === 'string' ? (JSON.parse(moved) as MovedObject) : undefined
  return {
    ...{ outcome, number, status },
    ...(link !== null && object !== null && { link, object }),
    version,
    ...(attributes !== null && { attributes: parseAttributes(attributes) }),
    ...(removed !== null && { removed: true }),
    ...(target && { removed: true, moved: target.parameters, attributes: target.attributes }),
    ...(typeof overwrote === 'string' && { overwrote: parseAttributes(overwrote) }),
    ...(error !== null && { error: JSON.parse(error) as SourceError }),
  }
}

function beforeIn([state, version, text]: FirstFields): StoredObjectState {
  if (state === 'never') return { state }
  return text === null ? { state: 'gone', version } : { state: 'live', version, attributes: parseAttributes(text) }
}
