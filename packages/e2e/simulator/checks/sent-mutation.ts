import type { Attributes, Mutation, Outcome } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import type { JudgedMutation } from './judgement.js'

/** A mutation in a journal, and its decision. */
export interface SentMutation {
  readonly collection: CollectionId
  mutation: Mutation
  /** Ids of the clients that sent it. */
  readonly clients: Set<string>
  /** The mutation and its object at the last start. */
  started?: JudgedMutation
  outcome?: Outcome
  /** Name of the collection whose journal decided it. */
  decidedIn?: string
  /** Whether that journal has removed it together with its client. */
  isDropped?: boolean
  /** The lineage of that collection at the decision. */
  lineage?: number
}

export const nameOf = ({ source, partition }: CollectionId): string => `${source}/${partition}`

/** Returns true if a mutation is undecided and concerns the same object. */
export const isRival = ({ collection, mutation, outcome }: SentMutation, started: SentMutation): boolean =>
  outcome === undefined &&
  mutation.object === started.mutation.object &&
  nameOf(collection) === nameOf(started.collection)

/** Returns the new values of a mutation. */
export function newValues({ attributes = {}, changed, was = {} }: Mutation): readonly string[] {
  const names = changed ?? Object.keys(attributes)
  return names
    .map(name => (attributes as Attributes)[name])
    .filter((value): value is string => typeof value === 'string' && !Object.values(was).includes(value))
}
