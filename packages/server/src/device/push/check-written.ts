import { type Attributes, HALF_PAIR, isWellFormed, type ObjectId, SyncError } from '@godwit/protocol'
import { messageOf } from '@godwit/source'
import { storedId } from '@godwit/store/history'
import { isRecord } from '../../backend/sources/is-record.js'
import { notJson } from '../../backend/sources/not-json.js'

/** Validates the result of a create: an optional id in its stored form, and attributes. Throws `backend_failed` for anything else. */
export function checkCreated(
  source: string,
  created: unknown,
): { readonly id: ObjectId | undefined; readonly attributes: Attributes } {
  if (Array.isArray(created)) throw notAnId(source, 'a list')
  const { id, attributes } = isRecord(created) ? created : { id: created }
  return { id: idOf(source, id), attributes: checkAttributes(source, 'create', attributes) }
}

/** Validates the result of a create or update as attributes that can be stored. Throws `backend_failed` for anything else. */
export function checkAttributes(source: string, operation: 'create' | 'update', given: unknown): Attributes {
  if (given === undefined || given === null) return {}
  if (operation === 'update' && isCount(given)) return {}
  const unlike = (came: string): SyncError =>
    new SyncError('backend_failed', `The ${operation} of ${source}: expected attributes by name, got ${came}.`)
  if (!isRecord(given)) throw unlike(kindOf(given))
  const flaw = notJson(given)
  if (flaw !== undefined) throw unlike(`${flaw}, which is no JSON,`)
  if (!isWellFormed(given)) throw unlike(HALF_PAIR)
  return given as Attributes
}

function idOf(source: string, id: unknown): ObjectId | undefined {
  if (id === undefined || id === null) return undefined
  if (typeof id !== 'string' && typeof id !== 'bigint' && !Number.isFinite(id)) {
    throw notAnId(source, typeof id === 'number' ? String(id) : kindOf(id))
  }
  if (!isWellFormed(id)) throw notAnId(source, HALF_PAIR)
  try {
    return storedId(String(id))
  } catch (error) {
    throw new SyncError(
      'backend_failed',
      `The create of ${source} returned an id that cannot be stored. ${messageOf(error)}`,
    )
  }
}

const notAnId = (source: string, came: string): SyncError =>
  new SyncError(
    'backend_failed',
    `The create of ${source}: expected an id that is text or a number, bare or in { id, attributes }, or nothing, got ${came}.`,
  )

/** True for the result of a database driver that returns the number of changed rows, or whether one changed. */
const isCount = (value: unknown): boolean => ['number', 'bigint', 'boolean'].includes(typeof value)

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
