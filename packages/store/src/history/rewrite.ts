import { type Attributes, type AttributeValue, emptyRecord, type Mutation, type ObjectId } from '@godwit/protocol'
import { storedId } from './object-id.js'

/**
 * Replaces temporary ids of decided owners with real ones: as the object, as a whole attribute value, in `was`, and removes them from `owners`. An
 * unchanged id maps to itself.
 */
export function rewriteIds(mutation: Mutation, links: ReadonlyMap<ObjectId, ObjectId>): Mutation {
  if (links.size === 0) return mutation
  const { attributes, was, owners, ...rest } = mutation
  const undecided = owners?.filter(owner => !links.has(owner)) ?? []
  return {
    ...rest,
    object: links.get(mutation.object) ?? mutation.object,
    ...(attributes && { attributes: relinkAttributes(attributes, links) }),
    ...(was && { was: relinkAttributes(was, links) }),
    ...(undecided.length > 0 && { owners: undecided }),
  }
}

function relinkAttributes(attributes: Attributes, links: ReadonlyMap<ObjectId, ObjectId>): Attributes {
  const result = emptyRecord<AttributeValue>()
  for (const [name, value] of Object.entries(attributes))
    result[name] = typeof value === 'string' ? (links.get(value) ?? value) : value
  return result
}

/** Removes the content of a mutation; number, key and the ids that decide about order and owners remain. */
export function withoutContent({ attributes, was, was_digests, changed, ...rest }: Mutation): Mutation {
  return rest
}

/** Converts a mutation for the journal, with well-formed ids and key. */
export function storedMutation(mutation: Mutation): Mutation {
  const { owners, blobs, ...rest } = mutation
  return {
    ...rest,
    key: mutation.key.toWellFormed(),
    object: storedId(mutation.object),
    ...(owners && owners.length > 0 && { owners: owners.map(owner => storedId(owner)) }),
    ...(blobs && blobs.length > 0 && { blobs }),
  }
}
