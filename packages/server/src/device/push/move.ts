import {
  type Attributes,
  isParameterValue,
  type Mutation,
  type PartitionParameters,
  type SourceError,
} from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { Head, JournalEntry, MovedObject, StartedMutation, Write } from '@godwit/store'
import { isAllowed, notAllowedError } from '../../backend/partitions/access.js'
import { makeDue, moveTarget, type OtherPartition, otherPartition } from '../../backend/partitions/other-partition.js'
import { parametersOfPartition } from '../../backend/sources/partition-of.js'
import type { DeviceEngine } from '../device-engine.js'

/** What is known of a mutation of a source with `by` before its start. */
export interface JudgedAccess {
  readonly target: OtherPartition | undefined
  /** The head of the target before the call; absent if nothing has opened it. */
  readonly targetHead: Head | undefined
  /** Why the mutation is refused. Absent: its user may see both partitions, or it was judged at an earlier start. */
  readonly refusal?: SourceError
}

/**
 * Judges, at the first start of a mutation, whether its user may see its partition and the one to which it moves the object; a repeat is not judged
 * again. Undefined for a source without `by`. Rejects if the source does not answer.
 */
export async function judgeAccess(
  engine: DeviceEngine,
  source: Source,
  { collection, user, mutation, attempts }: JournalEntry,
): Promise<JudgedAccess | undefined> {
  const own = parametersOfPartition(collection.partition)
  if (own === undefined) return undefined
  const target = moveTarget(source, collection, mutation)
  const targetHead = target && (await engine.store.collections.head(target.collection))
  if (attempts > 0) return { target, targetHead }
  const flaw = unnamedPartition(source, mutation)
  if (flaw !== undefined) return { target, targetHead, refusal: { code: 'value_not_allowed', message: flaw } }
  for (const parameters of [own, ...(target ? [target.parameters] : [])])
    if (!(await isAllowed(engine, source, { user, parameters })))
      return { target, targetHead, refusal: partitionRefusal(source.name, parameters) }
  return { target, targetHead }
}

function partitionRefusal(source: string, parameters: PartitionParameters): SourceError {
  const { code, message } = notAllowedError(source, parameters)
  return { code, message }
}

/** Says which attribute a mutation leaves without a value that names a partition: every object is in one. */
function unnamedPartition({ name, by = [] }: Source, { operation, attributes = {} }: Mutation): string | undefined {
  if (operation === 'delete') return undefined
  const unnamed = by.find(attribute => {
    const isGiven = operation === 'create' || Object.hasOwn(attributes, attribute)
    return isGiven && !(Object.hasOwn(attributes, attribute) && isParameterValue(attributes[attribute]))
  })
  return (
    unnamed &&
    `expected ${name}.${unnamed} to be text of up to 256 characters, a number or a boolean, which names the partition, got ${JSON.stringify(attributes[unnamed]) ?? 'none'}.`
  )
}

/** A change of an object that ends in another partition. */
export interface Move {
  readonly to: OtherPartition
  readonly moved: MovedObject
  readonly object: string
}

/** Returns the move that the result of a call is, whether the device asked for it or the backend did it. */
export function moveOf(
  source: Source,
  { entry: { collection }, before }: StartedMutation,
  write: Write | undefined,
): Move | undefined {
  const present = parametersOfPartition(collection.partition)
  if (write === undefined || present === undefined || 'remove' in write) return undefined
  const earlier = before.state === 'live' ? before.attributes : {}
  const attributes = withoutNulls({ ...present, ...earlier, ...write.set })
  const to = otherPartition(source, collection, attributes)
  return to && { to, object: write.object, moved: { parameters: to.parameters, attributes } }
}

const withoutNulls = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null))

/** Identifies writes of moves among the readers of a collection. They have no order, so that all have one fence. */
const READER = 'move'

/**
 * Writes a moved object into its new partition, before it is removed from the old one. Only if that partition has not changed the object since the
 * start; else it becomes due. A partition that nothing has opened stays so. `isRepeat`: the call may have been made before, so that the result may be
 * older than what the partition has.
 */
export async function writeMoved(
  engine: DeviceEngine,
  { to, moved, object }: Move,
  { judged, isRepeat }: { readonly judged: JudgedAccess | undefined; readonly isRepeat: boolean },
): Promise<void> {
  const { collections } = engine.store
  const known = judged?.target?.collection.partition === to.collection.partition ? judged.targetHead : undefined
  if (known === undefined || isRepeat) return makeDue(engine, to)
  const written = await collections.advance(
    to.collection,
    { replace: { [object]: moved.attributes } },
    { epoch: known.epoch, reader: READER, fence: 1, since: known.version },
  )
  if ('refused' in written || written.spared.length > 0) return makeDue(engine, to)
  if (written.changed > 0) engine.changes.announce(to.collection)
}
