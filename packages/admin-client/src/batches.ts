import { type Attributes, emptyRecord, type ObjectId, type ObjectMap, type UserCreate } from '@godwit/protocol'

/** Objects in any shape: one map, or any iterable of `[id, attributes]` or of maps, read as it is sent. */
export type Objects = ObjectMap | Many<readonly [ObjectId, Attributes] | ObjectMap>
/** Values that a push takes from any iterable, so that they need not be in memory together. */
export type Many<T> = Iterable<T> | AsyncIterable<T>

/** How much one request carries at most; a single object that is larger goes alone. */
export interface BatchLimits {
  /** Default 1,000. */
  readonly count?: number
  /** Bytes of JSON. Default 4 MiB; the server takes 32 MiB. */
  readonly bytes?: number
}

const DEFAULT_COUNT = 1000
const DEFAULT_BYTES = 4 * 1024 * 1024

const encoder = new TextEncoder()
const bytesOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).length

/** Object maps within the limits, in the order given. Always at least one, so that a push of nothing still asks the server. */
export async function* objectBatches(objects: Objects, limits: BatchLimits = {}): AsyncGenerator<ObjectMap> {
  for await (const entries of batches(entriesOf(objects), limits, ([id]) => id)) {
    const batch = emptyRecord<Attributes>()
    for (const [id, attributes] of entries) batch[id] = attributes
    yield batch
  }
}

/** Lists of ids within the limits, in the order given; at least one. A bare text is one id, not its letters. */
export async function* idBatches(ids: Many<ObjectId>, limits: BatchLimits = {}): AsyncGenerator<readonly ObjectId[]> {
  yield* batches(typeof ids === 'string' ? [ids] : ids, limits, id => id)
}

/** New users within the limits, in the order given. */
export async function* userBatches(
  users: Many<UserCreate>,
  limits: BatchLimits = {},
): AsyncGenerator<readonly UserCreate[]> {
  yield* batches(users, { count: 50, ...limits }, ({ attributes }) => String(attributes['login']))
}

/** An id never stands twice in one batch: a map keeps only the last of two, while two requests merge. */
async function* batches<T>(
  items: Many<T>,
  { count = DEFAULT_COUNT, bytes = DEFAULT_BYTES }: BatchLimits,
  idOf: (item: T) => ObjectId,
): AsyncGenerator<readonly T[]> {
  let batch: T[] = []
  let size = 0
  let sent = false
  const ids = new Set<ObjectId>()
  for await (const item of items) {
    const itemSize = bytesOf(item)
    if (batch.length > 0 && (batch.length >= count || size + itemSize > bytes || ids.has(idOf(item)))) {
      yield batch
      sent = true
      batch = []
      size = 0
      ids.clear()
    }
    batch.push(item)
    ids.add(idOf(item))
    size += itemSize
  }
  if (batch.length > 0 || !sent) yield batch
}

async function* entriesOf(objects: Objects): AsyncGenerator<readonly [ObjectId, Attributes]> {
  if (!isMany(objects)) return yield* Object.entries(objects)
  for await (const part of objects) {
    if (isEntry(part)) yield part
    else yield* Object.entries(part)
  }
}

/** By symbol: a map may well hold an object whose id is the word of any method. */
const isMany = (objects: Objects): objects is Exclude<Objects, ObjectMap> =>
  Symbol.iterator in objects || Symbol.asyncIterator in objects
const isEntry = (part: readonly [ObjectId, Attributes] | ObjectMap): part is readonly [ObjectId, Attributes] =>
  Array.isArray(part)
