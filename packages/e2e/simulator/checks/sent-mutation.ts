import type { Attributes, Mutation, Outcome } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import type { JudgedMutation } from './judgement.js'

/** A mutation in a journal, and its decision. */
export interface SentMutation {
  readonly collection: CollectionId
  mutation: Mutation
  /** Clients under which it was sent. */
  readonly clients: Set<string>
  /** The last start. */
  started?: JudgedMutation
  outcome?: Outcome
  /** The name of the collection in whose journal it was decided. */
  decidedIn?: string
  /** Whether that journal has forgotten it with its client. */
  isDropped?: boolean
  /** The collection's lineage when it was decided. */
  lineage?: number
}

export const nameOf = ({ source, partition }: CollectionId): string => `${source}/${partition}`

/** Whether a mutation is undecided and concerns the same object. */
export const isRival = ({ collection, mutation, outcome }: SentMutation, started: SentMutation): boolean =>
  outcome === undefined &&
  mutation.object === started.mutation.object &&
  nameOf(collection) === nameOf(started.collection)

/** The new values of a mutation. */
export function newValues({ attributes = {}, changed, was = {} }: Mutation): readonly string[] {
  const names = changed ?? Object.keys(attributes)
  return names
    .map(name => (attributes as Attributes)[name])
    .filter((value): value is string => typeof value === 'string' && !Object.values(was).includes(value))
}
