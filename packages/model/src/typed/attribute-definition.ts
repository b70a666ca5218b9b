import { type AttributeValue, SyncError } from '@godwit/protocol'
import type { AttributeDefinition, AttributeType } from '../definition/definition.js'
import { isJson } from '../definition/plain-json.js'
import { fitsType } from '../records/fit.js'
import type { Kinds } from './attribute.js'
import { type AttributeOptions, builtOf } from './t.js'

const TYPES: { readonly [Kind in keyof Kinds]: AttributeType } = {
  string: 'String',
  integer: 'Integer',
  float: 'Float',
  boolean: 'Boolean',
  timestamp: 'Timestamp',
  enum: 'Enum',
  json: 'Json',
  blob: 'Blob',
  belongsTo: 'String',
}

/** What the engine knows of an attribute. Throws `definition_invalid`. */
export function attributeOf(model: string, appName: string, given: unknown): AttributeDefinition {
  const built = builtOf(given)
  if (!built)
    throw invalid(model, appName, 'an attribute that t made; t.json() and t.blob() end with .optional() or .default()')
  const { kind, presence, options } = built
  const { serverName, values, overwrite = false } = options
  if (kind === 'enum' && (values?.length ?? 0) === 0) throw invalid(model, appName, 'at least one value')
  const attribute: AttributeDefinition = {
    name: serverName ?? appName,
    appName,
    type: TYPES[kind],
    option: overwrite ? 'overwrite' : null,
    presence,
    ...(values && { values: [...values] }),
    ...(options.check && { check: checkOf(options.check) }),
  }
  if (presence !== 'default') return attribute
  const value = toStored(options.default) as AttributeValue
  if (!isJson(value) || value === null || !fitsType(attribute, value))
    throw invalid(model, appName, 'a default that fits its type')
  return { ...attribute, default: value }
}

/** A value of the app as the engine has it: a Date is text, a file its hash. */
export function toStored(value: unknown): unknown {
  if (typeof value !== 'object') return value
  if (isDate(value)) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  return isBlobRef(value) ? value.hash : value
}

/** Those of other realms too: a frame, another context of Node. */
const isDate = (value: unknown): value is Date =>
  value instanceof Date || Object.prototype.toString.call(value) === '[object Date]'

const isBlobRef = (value: unknown): value is { readonly hash: string } =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length === 1 &&
  typeof (value as { hash?: unknown }).hash === 'string'

/** What throws does not fit either. */
function checkOf(check: NonNullable<AttributeOptions['check']>): AttributeDefinition['check'] {
  return value => {
    try {
      if (typeof check === 'function') return check(value) ? value : undefined
      const result = check['~standard'].validate(value) as { readonly value?: unknown; readonly issues?: unknown }
      if (typeof (result as { then?: unknown }).then === 'function') return undefined
      return result.issues === undefined ? (result.value as AttributeValue) : undefined
    } catch {
      return undefined
    }
  }
}

const invalid = (model: string, attribute: string, expected: string): SyncError =>
  new SyncError('definition_invalid', `${model}.${attribute}: expected ${expected}.`)
