import type { Mutation, Outcome, SourceError } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { StartedMutation, Write } from '@godwit/store'
import { rewriteIds } from '@godwit/store/history'
import { digestAttributes } from '../../backend/pass-through/digest.js'
import type { ConflictDecision } from './find-conflict.js'

/** True if the mutation's content is available; a pass-through journal stores none. */
export const hasContent = ({ passThrough }: Source, { operation, attributes, was }: Mutation): boolean =>
  !passThrough || (operation === 'delete' ? was : attributes) !== undefined

/** Decides on a mutation without content: a delete that was already judged and called is repeated, anything else is refused. */
export const withoutContent = ({ entry }: StartedMutation): ConflictDecision | { readonly error: SourceError } =>
  entry.mutation.operation === 'delete' && entry.attempts > 1 ? { operation: 'delete' } : { error: CONTENT_IS_GONE }

const CONTENT_IS_GONE: SourceError = {
  code: 'refused',
  message: 'The content of this change is not kept (pass_through), and its call was cut off. Make the change again.',
}

/** Without stored content there is nothing to compare, so the backend decides on conflicts. */
export const NO_CONFLICT_CHECK = { conflict: 'client-wins', methods: {} } as const

/** Returns the object before the call as a pass-through source knows it: its version, and the attributes that the device sent. */
export const withAttributesSent = (
  before: StartedMutation['before'],
  { attributes = {} }: Mutation,
): StartedMutation['before'] => (before.state === 'live' ? { ...before, attributes } : before)

/** Replaces the content of a write by a unique digest, so that the next query sends the object to devices again. */
export const withoutDigest = (write: Write | undefined, { entry }: StartedMutation): Write | undefined =>
  write !== undefined && 'set' in write ? { object: write.object, set: digestAttributes(entry.mutation.key) } : write

/** Replaces temporary ids in content that the journal does not store; the journal rewrites stored content itself. */
export function relinkContent(content: Mutation, outcomes: readonly Outcome[]): Mutation {
  const { owners } = content
  if (owners === undefined) return content
  const links = outcomes.flatMap(({ object, link }) => (object && link ? [[object, link] as const] : []))
  return rewriteIds(content, new Map(links.filter(([object]) => owners.includes(object))))
}
