import type { Attributes, Mutation, Outcome } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'

/** What a journal was given and what it decided. */
export interface SentMutation {
  readonly collection: CollectionId
  mutation: Mutation
  /** Under which clients it came. */
  readonly clients: Set<string>
  outcome?: Outcome
  /** The lineage of the collection when it was decided. */
  lineage?: number
}

export const nameOf = ({ source, partition }: CollectionId): string => `${source}/${partition}`

/** Undecided, and of the same object. */
export const isRival = ({ collection, mutation, outcome }: SentMutation, started: SentMutation): boolean =>
  outcome === undefined &&
  mutation.object === started.mutation.object &&
  nameOf(collection) === nameOf(started.collection)

/** The values that a mutation brings, of those that it changes. */
export function newValues({ attributes = {}, changed, was = {} }: Mutation): readonly string[] {
  const names = changed ?? Object.keys(attributes)
  return names
    .map(name => (attributes as Attributes)[name])
    .filter((value): value is string => typeof value === 'string' && !Object.values(was).includes(value))
}
