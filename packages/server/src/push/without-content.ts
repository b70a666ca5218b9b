import type { Mutation, Outcome, SourceError } from '@godwit/protocol'
import type { StartedMutation, Write } from '@godwit/store'
import { rewriteIds } from '@godwit/store/history'
import { digestAttributes } from '../pass-through/digest.js'
import type { Source } from '../sources/source.js'
import type { ConflictDecision } from './find-conflict.js'

/** A pass_through journal keeps none. */
export const hasContent = ({ passThrough }: Source, { operation, attributes, was }: Mutation): boolean =>
  !passThrough || (operation === 'delete' ? was : attributes) !== undefined

/** A delete that was judged and called before needs none; anything else cannot go on. */
export const withoutContent = ({ entry }: StartedMutation): ConflictDecision | { readonly error: SourceError } =>
  entry.mutation.operation === 'delete' && entry.attempts > 1 ? { operation: 'delete' } : { error: CONTENT_IS_GONE }

const CONTENT_IS_GONE: SourceError = {
  code: 'refused',
  message: 'The content of this change is not kept (pass_through), and its call was cut off. Make the change again.',
}

/** Where nothing is kept there is nothing to compare with: the backend is the judge. */
export const NO_CONFLICT_CHECK = { conflict: 'client-wins', methods: {} } as const

/** The object before a start, as a source that passes through may know it: its version alone. */
export const withoutAttributes = (before: StartedMutation['before']): StartedMutation['before'] =>
  before.state === 'live' ? { ...before, attributes: {} } : before

/** A write without a digest: the next query reads the object again, and devices get it as it is then. */
export const withoutDigest = (write: Write | undefined, { entry }: StartedMutation): Write | undefined =>
  write !== undefined && 'set' in write ? { object: write.object, set: digestAttributes(entry.mutation.key) } : write

/** The journal rewrites what it keeps; content that it does not keep is told here which real ids its owners have by now. */
export function relinkContent(content: Mutation, outcomes: readonly Outcome[]): Mutation {
  const { owners } = content
  if (owners === undefined) return content
  const links = outcomes.flatMap(({ object, link }) => (object && link ? [[object, link] as const] : []))
  return rewriteIds(content, new Map(links.filter(([object]) => owners.includes(object))))
}
