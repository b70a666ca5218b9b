import { emptyRecord, type ObjectId } from '@godwit/protocol'
import { storedId } from '@godwit/store/history'

type MapOf<Value> = { readonly [id: ObjectId]: Value }

/** Throws `body_invalid` unless every id can be stored. Called before the first write, so that a refused request changes nothing. */
export function checkIds(ids: Iterable<ObjectId>): void {
  for (const id of ids) storedId(id)
}

/** Splits ids into lists of at most `size`. */
export function* chunks(ids: readonly ObjectId[], size: number): Generator<readonly ObjectId[]> {
  for (let start = 0; start < ids.length; start += size) yield ids.slice(start, start + size)
}

/** The most characters of JSON in one batch, unless a single object is larger; it limits how long one batch occupies a store. */
const MAX_LENGTH = 1_048_576

/** Splits ids into lists of at most `size` ids and one batch's worth of content. */
export function* chunksByWeight(
  map: MapOf<unknown>,
  ids: readonly ObjectId[],
  size: number,
): Generator<readonly ObjectId[]> {
  let [start, length] = [0, 0]
  for (const [at, id] of ids.entries()) {
    const own = Object.hasOwn(map, id) ? JSON.stringify(map[id]).length : 0
    if (at > start && (at - start === size || length + own > MAX_LENGTH)) {
      yield ids.slice(start, at)
      ;[start, length] = [at, 0]
    }
    length += own
  }
  if (start < ids.length) yield ids.slice(start)
}

/** Returns the entries of a map with these ids. */
export function pick<Value>(map: MapOf<Value>, ids: readonly ObjectId[]): MapOf<Value> {
  const part = emptyRecord<Value>()
  for (const id of ids) if (Object.hasOwn(map, id)) part[id] = map[id] as Value
  return part
}
