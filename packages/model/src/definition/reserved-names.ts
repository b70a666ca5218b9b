import { SyncError } from '@godwit/protocol'

/** Never names of attributes. Queries may ask for `object`, the id. */
const RESERVED: ReadonlySet<string> = new Set(['', 'object', 'source_id', 'update_type', 'attrib_type'])

/** True for names that the SDK or the server uses: no attribute may have one. */
export const isReserved = (name: string): boolean => RESERVED.has(name)

export function reservedName(model: string, name: string): SyncError {
  const message = `${model} cannot have an attribute called ${JSON.stringify(name)}: the name is reserved.`
  return new SyncError('name_not_allowed', message, { details: { name, reserved: [...RESERVED] } })
}
