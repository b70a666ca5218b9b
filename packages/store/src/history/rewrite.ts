import { type Attributes, type AttributeValue, emptyRecord, type Mutation, type ObjectId } from '@godwit/protocol'
import { storedId } from './object-id.js'

/** Writes real ids over the temporary ones of decided owners: as the object, as a whole value of an attribute, in `was`, and out of `owners`. A temporary id that stayed maps to itself. */
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

/** What stays of a mutation whose content is not kept: number, key, and the ids that decide about order and owners. */
export function withoutContent({ attributes, was, changed, ...rest }: Mutation): Mutation {
  return rest
}

/** A mutation as journals keep it: ids and key well-formed. */
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
