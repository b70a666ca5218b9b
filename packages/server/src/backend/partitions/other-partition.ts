import { type Attributes, type Mutation, type PartitionParameters, parametersOf } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { CollectionId, JournalEntry } from '@godwit/store'
import type { BackendEngine } from '../backend-engine.js'
import { byPartition, parametersOfPartition } from '../sources/partition-of.js'

/** Another partition of the source of a mutation. */
export interface OtherPartition {
  readonly parameters: PartitionParameters
  readonly collection: CollectionId
}

/** Returns the partition to which a mutation asks to move its object: the one that its attributes name, if it is another one. */
export function moveTarget(source: Source, collection: CollectionId, mutation: Mutation): OtherPartition | undefined {
  const { by } = source
  const present = parametersOfPartition(collection.partition)
  if (by === undefined || present === undefined || mutation.operation === 'delete') return undefined
  return otherPartition(source, collection, { ...present, ...mutation.attributes })
}

/** Returns the partition that attributes name; undefined if it is that of the collection, or they name none. */
export function otherPartition(
  { by = [] }: Source,
  collection: CollectionId,
  attributes: Attributes,
): OtherPartition | undefined {
  const parameters = parametersOf(by, attributes)
  if (parameters === undefined) return undefined
  const partition = byPartition(parameters)
  return partition === collection.partition ? undefined : { parameters, collection: { ...collection, partition } }
}

type DueEngine = Pick<BackendEngine, 'store' | 'changes'>

/** Makes a partition due, and tells listening devices, whose pull reads it. Does nothing for one that nothing has opened. */
export async function makeDue(engine: DueEngine, { collection }: OtherPartition): Promise<void> {
  if ((await engine.store.collections.head(collection)) === undefined) return
  await engine.store.collections.requestQuery(collection)
  engine.changes.announce(collection)
}

/** Makes the partition due to which a mutation asks to move its object: whether it did is not known. */
export async function makeTargetDue(
  engine: DueEngine,
  source: Source,
  { collection, mutation }: Pick<JournalEntry, 'collection' | 'mutation'>,
): Promise<void> {
  const target = moveTarget(source, collection, mutation)
  if (target !== undefined) await makeDue(engine, target)
}
