import {
  type Attributes,
  type AttributeValue,
  HALF_PAIR,
  isWellFormed,
  MAX_ID_BYTES,
  SyncError,
} from '@godwit/protocol'
import { ATTRIBUTE_TYPES } from '../definition/attribute-types.js'
import { recordFor } from '../definition/attribute-values.js'
import { isBytes } from '../definition/bytes.js'
import type { AttributeDefinition, Definition } from '../definition/definition.js'
import { keepsDigits } from '../definition/number-text.js'
import { hasMembers, isJson } from '../definition/plain-json.js'
import { isReserved, reservedName } from '../definition/reserved-names.js'
import { valueText } from '../definition/value-text.js'
import { OF_THE_APP, type Rules } from './rules.js'

/**
 * Validates attributes from the app: names (declared ones only, for a frozen or typed model), types, and plain JSON. Throws before anything is
 * written.
 */
export function fit(definition: Definition, attributes: Attributes, { areBound }: Rules = OF_THE_APP): Attributes {
  if (!hasMembers(attributes)) throw noAttributes(definition, attributes)
  const isBound = areBound || !definition.typed
  const result = recordFor(attributes)
  for (const name of Object.keys(attributes)) {
    const value = attributes[name] as AttributeValue | undefined
    const declared = definition.attributes.get(name)
    // Names of a typed definition were checked when it was made.
    if (!declared || !definition.typed) checkName(definition, name, isBound)
    // File content, which is replaced by its hash before it is stored.
    if (definition.typed && declared && ATTRIBUTE_TYPES[declared.type].isFile && isBytes(value)) {
      result[name] = value as unknown as AttributeValue
      continue
    }
    if (!isWellFormed(value)) throw halfPair(definition, name)
    if (value !== undefined)
      result[name] = declared && isBound ? fitDeclared(definition, declared, value) : plain(definition, name, value)
  }
  return result
}

function checkName(definition: Definition, name: string, isBound: boolean): void {
  const isDeclared = definition.attributes.has(name)
  if (!isDeclared && isReserved(name)) throw reservedName(definition.name, name)
  if (!name.isWellFormed()) throw halfPair(definition, name)
  if (!isDeclared && isBound && isClosed(definition)) throw unknownAttribute(definition, name)
}

/** Returns true if all attributes have to be declared. */
const isClosed = ({ freezed, storage, typed }: Definition): boolean => freezed || storage === 'fixed' || typed === true

/** Validates an id: any text that is neither empty nor too long. */
export function fitId(object: string): string {
  if (
    typeof object === 'string' &&
    object !== '' &&
    object.isWellFormed() &&
    new TextEncoder().encode(object).length <= MAX_ID_BYTES
  )
    return object
  throw new SyncError(
    'name_not_allowed',
    `expected an id of 1 to ${MAX_ID_BYTES} bytes of well-formed text, got ${JSON.stringify(object)?.slice(0, 80)}.`,
  )
}

function unknownAttribute({ name, typed, attributes }: Definition, attribute: string): SyncError {
  const known = [...attributes.keys()]
  return new SyncError(
    'attribute_unknown',
    `${name}${typed ? '' : ' is frozen and'} has no attribute ${JSON.stringify(attribute)}: expected one of ${known.join(', ')}. Nothing was stored.`,
    {
      details: { attribute, known },
    },
  )
}

/** Returns true if a value has the declared type without conversion. */
export const fitsType = (attribute: AttributeDefinition, value: AttributeValue): boolean =>
  ATTRIBUTE_TYPES[attribute.type].accepts(value, attribute)

/** Returns true if a value is stored unchanged: it matches the type, needs no copy, and is well-formed Unicode. */
export function fitsAsGiven(attribute: AttributeDefinition, value: AttributeValue): boolean {
  if (typeof value === 'string' && !value.isWellFormed()) return false
  const type = ATTRIBUTE_TYPES[attribute.type]
  return typeof value !== 'object' && !type.isFile && type.fits(value, attribute)
}

/** Converts text that spells a number or a Boolean, because the setters of `NewORMModel` accept text. */
function fitDeclared(definition: Definition, attribute: AttributeDefinition, value: AttributeValue): AttributeValue {
  const { name, type } = attribute
  if (value === null) return null
  const { parse, fits } = ATTRIBUTE_TYPES[type]
  const read = typeof value === 'string' ? parse(value) : value
  if (fits(read, attribute)) return copyOf(read)
  const isLong = typeof value === 'string' && !keepsDigits(value)
  const hint = isLong ? ' (a number does not hold as many digits; ids are text)' : ''
  const expected = attribute.values ? `one of ${attribute.values.join(', ')}` : `a value of the type ${type}${hint}`
  throw invalid(definition, attribute.appName ?? name, expected, value)
}

function plain(definition: Definition, name: string, value: AttributeValue): AttributeValue {
  if (isJson(value)) return copyOf(value)
  throw invalid(
    definition,
    name,
    'plain JSON (text, finite numbers, Booleans, null, lists and objects of these)',
    value,
  )
}

const halfPair = ({ name: model }: Definition, attribute: string): SyncError =>
  new SyncError('attribute_invalid', `${model}.${attribute.toWellFormed()}: got ${HALF_PAIR}. Nothing was stored.`, {
    details: { attribute: attribute.toWellFormed() },
  })

/** Copies a value, so that the app can change its own afterwards. */
const copyOf = (value: AttributeValue): AttributeValue =>
  typeof value === 'object' ? (JSON.parse(JSON.stringify(value)) as AttributeValue) : value

const noAttributes = ({ name: model }: Definition, value: unknown): SyncError =>
  new SyncError(
    'attribute_invalid',
    `${model}: expected an object with attributes as its members, got ${valueText(value)}. Nothing was stored.`,
  )

function invalid({ name: model }: Definition, attribute: string, expected: string, value: unknown): SyncError {
  const got =
    typeof value === 'string' || typeof value === 'number'
      ? valueText(value)
      : `a value of the kind ${Array.isArray(value) ? 'list' : typeof value}`
  return new SyncError(
    'attribute_invalid',
    `${model}.${attribute}: expected ${expected}, got ${got}. Nothing was stored.`,
    { details: { attribute } },
  )
}
