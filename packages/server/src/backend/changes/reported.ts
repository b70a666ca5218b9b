import { emptyRecord, type ObjectId, type ObjectMap, SyncError } from '@godwit/protocol'
import type { ChangesPart } from '@godwit/source'
import { checkPart } from '../query/query-results.js'
import { isRecord } from '../sources/is-record.js'

/** Changes of one partition that a source reported: whole objects, and ids of removed ones. */
export interface Reported {
  readonly objects: ObjectMap
  readonly removed: readonly ObjectId[]
}

/** Bytes of UTF-8 of the longest cursor. */
const MAX_CURSOR = 64 * 1024

/** Returns a cursor that can be stored. Throws `backend_failed` for any other value. */
export function checkCursor(source: string, cursor: unknown): string {
  if (typeof cursor === 'string' && cursor !== '' && Buffer.byteLength(cursor) <= MAX_CURSOR && cursor.isWellFormed())
    return cursor
  const got = typeof cursor === 'string' ? `a text of ${Buffer.byteLength(cursor)} bytes` : typeof cursor
  throw new SyncError('backend_failed', `${source}: expected a cursor of 1 to ${MAX_CURSOR} bytes, got ${got}.`)
}

/** Returns a part of a source's changes if it is one. Throws `backend_failed`, which says what the source yielded. */
export function checkChangesPart(source: string, part: unknown): Reported & { readonly cursor?: string } {
  if (!isRecord(part)) throw unlike(source, `expected { objects, removed, cursor }, got ${kindOf(part)}`)
  const unknown = Object.keys(part).find(name => !['objects', 'removed', 'cursor'].includes(name))
  if (unknown !== undefined)
    throw unlike(source, `expected { objects, removed, cursor }, got the member ${JSON.stringify(unknown)}`)
  const {
    objects = emptyRecord(),
    removed = [],
    cursor,
  } = part as { readonly [Name in keyof ChangesPart<object>]: unknown }
  const reported = { objects: checkPart(source, objects, 'changes'), removed: checkIds(source, removed) }
  const twice = reported.removed.find(id => Object.hasOwn(reported.objects, id))
  if (twice !== undefined)
    throw unlike(source, `expected an object once in a part, got ${JSON.stringify(twice)} in objects and in removed`)
  return cursor === undefined ? reported : { ...reported, cursor: checkCursor(source, cursor) }
}

/** Returns ids as text; numbers are accepted, as keys of an object map are. */
function checkIds(source: string, ids: unknown): readonly ObjectId[] {
  if (!Array.isArray(ids)) throw unlike(source, `expected removed to be a list of ids, got ${kindOf(ids)}`)
  return ids.map(id => checkId(source, id))
}

/** Returns an id as text. Throws `backend_failed` if it cannot be stored. */
export function checkId(source: string, id: unknown): ObjectId {
  const text = Number.isSafeInteger(id) ? String(id) : id
  if (typeof text !== 'string') throw unlike(source, `expected an id that is text, got ${kindOf(id)}`)
  checkPart(source, { [text]: {} }, 'changes')
  return text
}

const unlike = (source: string, text: string): SyncError =>
  new SyncError('backend_failed', `The changes of ${source}: ${text}.`)

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value)
