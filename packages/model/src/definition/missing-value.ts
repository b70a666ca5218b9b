import type { AttributeValue } from '@godwit/protocol'
import type { AttributeDefinition, AttributeType } from './definition.js'

const EMPTY: { readonly [Type in AttributeType]: AttributeValue | undefined } = {
  String: '',
  Varchar: '',
  Integer: 0,
  Float: 0,
  Boolean: false,
  Timestamp: '1970-01-01T00:00:00.000Z',
  Enum: undefined,
  Json: undefined,
  Blob: undefined,
}

/** The value that an attribute shows where it has none that fits; undefined: it is absent. */
export function missingValue({
  presence,
  type,
  values,
  default: given,
}: AttributeDefinition): AttributeValue | undefined {
  if (presence === 'default') return given
  return presence === 'required' ? (values?.[0] ?? EMPTY[type]) : undefined
}
