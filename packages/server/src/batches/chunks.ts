import { emptyRecord, type ObjectId } from '@godwit/protocol'
import { storedId } from '@godwit/store/history'

type MapOf<Value> = { readonly [id: ObjectId]: Value }

/** Throws `body_invalid` unless every id can be stored: asked before the first write, so that a refused change has changed nothing. */
export function checkIds(ids: Iterable<ObjectId>): void {
  for (const id of ids) storedId(id)
}

/** Ids in lists of at most so many. */
export function* chunks(ids: readonly ObjectId[], size: number): Generator<readonly ObjectId[]> {
  for (let start = 0; start < ids.length; start += size) yield ids.slice(start, start + size)
}

/** The part of a map that has these ids. */
export function pick<Value>(map: MapOf<Value>, ids: readonly ObjectId[]): MapOf<Value> {
  const part = emptyRecord<Value>()
  for (const id of ids) if (Object.hasOwn(map, id)) part[id] = map[id] as Value
  return part
}
