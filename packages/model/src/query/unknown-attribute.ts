import { SyncError } from '@godwit/protocol'
import type { Definition } from '../definition/definition.js'

/** Returns the error for an attribute that the model does not declare. */
export function unknownAttribute({ name, attributes }: Definition, attribute: string, more = ''): SyncError {
  const known = ['object', ...attributes.keys()]
  return new SyncError(
    'query_invalid',
    `${name} has no attribute ${JSON.stringify(attribute)}: expected one of ${known.join(', ')}.${more}`,
    { details: { attribute, known } },
  )
}
