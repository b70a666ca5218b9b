import { emptyRecord, type ObjectId, type ObjectMap, type WriteResult } from '@godwit/protocol'
import { type Batch, type CollectionId, MAX_BATCH, type WriterOrigin } from '@godwit/store'
import { checkLogin } from '../../base/check-login.js'
import type { BackendEngine } from '../backend-engine.js'
import { applyBatches } from '../batches/apply-batches.js'
import { checkIds, chunks, chunksByWeight, pick } from '../batches/chunks.js'
import { notifyUsers } from '../jobs/enqueue.js'
import { refuseContent } from '../pass-through/refuse-content.js'
import { collectionOf } from '../sources/partition-of.js'
import { verifyInBackground } from './verify.js'

/** The source and user whose objects a backend writes. */
export interface WriteTarget {
  /** The name of the source. */
  readonly source: string
  /** Ignored for app sources. */
  readonly user: string
  /** The writer, for the change log. */
  readonly origin?: WriterOrigin | undefined
}

interface VerifiedWrite extends WriteTarget {
  /** Compares the collection's objects with the count and checksum of its head afterwards, in the background. Default false. */
  readonly verify?: boolean
}

/** Merges objects into a collection: sets the given attributes, removes those that are `null`, and creates missing objects. */
export const pushObjects = (
  engine: BackendEngine,
  { objects, ...target }: VerifiedWrite & { readonly objects: ObjectMap },
): Promise<WriteResult> => {
  const ids = Object.keys(objects)
  return write(engine, target, ids, () => merges(objects, ids))
}

/** Removes objects; each leaves a tombstone, even if it did not exist. */
export const pushDeletes = (
  engine: BackendEngine,
  { objects, ...target }: VerifiedWrite & { readonly objects: readonly ObjectId[] },
): Promise<WriteResult> => {
  const ids = [...new Set(objects)]
  return write(engine, target, ids, () => removals(ids))
}

/** Removes the attributes named in `before`, whatever their values, then merges `after`. An attribute in both gets the new value. */
export const fastUpdate = (
  engine: BackendEngine,
  { before, after, ...target }: WriteTarget & { readonly before: ObjectMap; readonly after: ObjectMap },
): Promise<WriteResult> => {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return write(engine, target, ids, () => updates(before, after, ids))
}

/** Removes the named attributes; an object without attributes left is removed. */
export const fastDelete = (
  engine: BackendEngine,
  { data, ...target }: WriteTarget & { readonly data: ObjectMap },
): Promise<WriteResult> => fastUpdate(engine, { ...target, before: data, after: {} })

/** Applies the batches and notifies devices. All ids are checked before the first write. */
async function write(
  engine: BackendEngine,
  { verify = false, ...target }: VerifiedWrite,
  ids: readonly ObjectId[],
  batches: () => Iterable<Batch>,
): Promise<WriteResult> {
  const collection = await collectionOfTarget(engine, target)
  checkIds(ids)
  const written = await applyBatches(engine, collection, { batches: batches(), origin: target.origin })
  await notifyUsers(engine, collection, written)
  if (verify) verifyInBackground(engine, collection)
  return written
}

async function collectionOfTarget(
  { sources }: Pick<BackendEngine, 'sources'>,
  { source: name, user }: WriteTarget,
): Promise<CollectionId> {
  const source = await sources.learn(name)
  refuseContent(source)
  if (source.partition === 'user') checkLogin(user, '/user_id')
  return collectionOf(source, user)
}

function* merges(objects: ObjectMap, ids: readonly ObjectId[]): Generator<Batch> {
  for (const some of chunksByWeight(objects, ids, MAX_BATCH))
    yield { merge: some.length === ids.length ? objects : pick(objects, some) }
}

function* removals(ids: readonly ObjectId[]): Generator<Batch> {
  for (const remove of chunks(ids, MAX_BATCH)) yield { remove }
}

// An object may count twice in a batch: once for removed attributes, once for merged ones.
function* updates(before: ObjectMap, after: ObjectMap, ids: readonly ObjectId[]): Generator<Batch> {
  for (const some of chunksByWeight(after, ids, MAX_BATCH / 2)) {
    yield { removeAttributes: namesOf(pick(before, some)), merge: pick(after, some) }
  }
}

function namesOf(objects: ObjectMap): { readonly [id: ObjectId]: readonly string[] } {
  const names = emptyRecord<readonly string[]>()
  for (const [id, attributes] of Object.entries(objects)) names[id] = Object.keys(attributes)
  return names
}
