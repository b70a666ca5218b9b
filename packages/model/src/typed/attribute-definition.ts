import { type AttributeValue, SyncError } from '@godwit/protocol'
import { storedOf, typeOfKind } from '../definition/attribute-types.js'
import { isBytes } from '../definition/bytes.js'
import type { AttributeDefinition } from '../definition/definition.js'
import { isJson } from '../definition/plain-json.js'
import { fitsType } from '../records/fit.js'
import { type AttributeOptions, builtOf } from './t.js'

/** Converts an attribute to the engine's definition. Throws `definition_invalid`. */
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
    type: typeOfKind(kind),
    option: overwrite ? 'overwrite' : null,
    presence,
    ...(values && { values: [...values] }),
    ...(options.check && { check: checkOf(options.check, () => asynchronous(model, appName)) }),
  }
  if (presence !== 'default') return attribute
  const value = storedValueOf(options.default) as AttributeValue
  if (!isJson(value) || value === null || !fitsType(attribute, value))
    throw invalid(model, appName, 'a default that fits its type')
  return { ...attribute, default: value }
}

/** Converts a value of the app to the engine's: a Date to text, a file to its hash. */
export const storedValueOf = (value: unknown): unknown =>
  typeof value !== 'object' || value === null || isBytes(value) ? value : storedOf(value)

type Check = NonNullable<AttributeOptions['check']>

/** Values that most schemas inspect, to detect an asynchronous one when it is declared. */
const PROBES: readonly AttributeValue[] = [null, '', 0, false, [], {}]

function checkOf(check: Check, asynchronous: () => SyncError): NonNullable<AttributeDefinition['check']> {
  const checked = (value: AttributeValue): AttributeValue | undefined => {
    const answer = answerOf(check, value)
    if (isPromise(answer)) {
      answer.then(nothing, nothing)
      throw asynchronous()
    }
    if (typeof check === 'function') return answer ? value : undefined
    const { issues, value: read } = (answer ?? REFUSED) as { readonly value?: unknown; readonly issues?: unknown }
    return issues === undefined ? (read as AttributeValue) : undefined
  }
  if (typeof check !== 'function') for (const probe of PROBES) checked(probe)
  return checked
}

/** Returns the result of a check; undefined, which means invalid, if it throws. */
function answerOf(check: Check, value: AttributeValue): unknown {
  try {
    return typeof check === 'function' ? check(value) : check['~standard'].validate(value)
  } catch {
    return undefined
  }
}

const REFUSED = { issues: [] }
const nothing = (): void => {}

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function'

const asynchronous = (model: string, attribute: string): SyncError =>
  invalid(model, attribute, 'a schema that answers at once, got one that gives a promise: leave out what it awaits')

const invalid = (model: string, attribute: string, expected: string): SyncError =>
  new SyncError('definition_invalid', `${model}.${attribute}: expected ${expected}.`)
