import type { CollectionId } from '../collections.js'
import { compareIds } from '../history/index.js'
import { type CollectionEnvironment, MemoryCollection } from './memory-collection.js'

/** The state that the capabilities of one memory store share. */
export interface MemoryState extends CollectionEnvironment {
  readonly collections: Map<string, MemoryCollection>
}

/** The key of a collection. JSON keeps names unambiguous, since they are untrusted text. */
export function keyOf(collection: CollectionId): string {
  const { source, partition } = wellFormedCollection(collection)
  return JSON.stringify([source, partition])
}

export function find(world: MemoryState, collection: CollectionId): MemoryCollection | undefined {
  return world.collections.get(keyOf(collection))
}

/** Replaces lone surrogates in a collection's id, as every store does. */
export function wellFormedCollection({ source, partition }: CollectionId): CollectionId {
  return { source: source.toWellFormed(), partition: partition.toWellFormed() }
}

/** Returns a collection; creates it with a new epoch if it does not exist. */
export function openOrMake(world: MemoryState, collection: CollectionId): MemoryCollection {
  const id = wellFormedCollection(collection)
  const found = find(world, id)
  if (found) return found
  const made = new MemoryCollection(id, world)
  world.collections.set(keyOf(id), made)
  return made
}

/** Orders collections by source, then by partition. */
export function compareCollections(left: CollectionId, right: CollectionId): number {
  return compareIds(left.source, right.source) || compareIds(left.partition, right.partition)
}

/** Returns all collections in the order of `compareCollections`. */
export function inOrder(world: MemoryState): readonly MemoryCollection[] {
  return [...world.collections.values()].sort((left, right) => compareCollections(left.id, right.id))
}
