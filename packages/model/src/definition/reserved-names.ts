import { SyncError } from '@godwit/protocol'

/** Names that attributes must not have. Queries can use `object`, the id. */
const RESERVED: ReadonlySet<string> = new Set(['', 'object', 'source_id', 'update_type', 'attrib_type'])

/** Returns true for a name that the SDK or the server uses, which attributes must not have. */
export const isReserved = (name: string): boolean => RESERVED.has(name)

export function reservedName(model: string, name: string): SyncError {
  const message = `${model} cannot have an attribute called ${JSON.stringify(name)}: the name is reserved.`
  return new SyncError('name_not_allowed', message, { details: { name, reserved: [...RESERVED] } })
}
