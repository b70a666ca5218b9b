import { SyncError } from '@godwit/protocol'
import { isReserved } from '../definition/reserved-names.js'

/** Validates the name of an attribute, or `object`. */
export function readName(where: string, given: unknown): string {
  if (typeof given === 'string' && (given === 'object' || !isReserved(given))) return given
  const came = typeof given === 'string' ? JSON.stringify(given) : typeof given
  throw new SyncError('query_invalid', `${where}: expected the name of an attribute, or object, got ${came}.`)
}
