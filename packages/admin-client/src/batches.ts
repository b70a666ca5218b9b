import { type Attributes, emptyRecord, type ObjectId, type ObjectMap, type UserCreate } from '@godwit/protocol'

/** Objects: a map, or an iterable of `[id, attributes]` or of maps, which is consumed while sending. */
export type Objects = ObjectMap | Many<readonly [ObjectId, Attributes] | ObjectMap>
/** Any iterable, so that the values need not all be in memory. */
export type Many<T> = Iterable<T> | AsyncIterable<T>

/** Limits of one request. An object that exceeds them is sent alone. */
export interface BatchLimits {
  /** Default 1,000. */
  readonly count?: number
  /** Bytes of JSON. Default 4 MiB; the server accepts up to 32 MiB. */
  readonly bytes?: number
}

const DEFAULT_COUNT = 1000
const DEFAULT_BYTES = 4 * 1024 * 1024

const encoder = new TextEncoder()
const bytesOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).length

/** Yields object maps within the limits, in order. Yields at least one, so that an empty push still calls the server. */
export async function* objectBatches(objects: Objects, limits: BatchLimits = {}): AsyncGenerator<ObjectMap> {
  for await (const entries of batches(entriesOf(objects), limits, ([id]) => id)) {
    const batch = emptyRecord<Attributes>()
    for (const [id, attributes] of entries) batch[id] = attributes
    yield batch
  }
}

/** Yields lists of ids within the limits, in order; at least one. A string is one id, not an iterable of characters. */
export async function* idBatches(ids: Many<ObjectId>, limits: BatchLimits = {}): AsyncGenerator<readonly ObjectId[]> {
  yield* batches(typeof ids === 'string' ? [ids] : ids, limits, id => id)
}

/** Yields lists of new users within the limits, in order. */
export async function* userBatches(
  users: Many<UserCreate>,
  limits: BatchLimits = {},
): AsyncGenerator<readonly UserCreate[]> {
  yield* batches(users, { count: 50, ...limits }, ({ attributes }) => String(attributes['login']))
}

/** Splits items into batches without duplicate ids: a map would keep only the last of two, whereas two requests merge. */
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

/** Checks for the iterator symbol, because a map may contain an object whose id equals a method name. */
const isMany = (objects: Objects): objects is Exclude<Objects, ObjectMap> =>
  Symbol.iterator in objects || Symbol.asyncIterator in objects
const isEntry = (part: readonly [ObjectId, Attributes] | ObjectMap): part is readonly [ObjectId, Attributes] =>
  Array.isArray(part)
