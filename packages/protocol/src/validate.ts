import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { ProblemPart } from './errors/problem.js'
import { SyncError } from './errors/sync-error.js'
import { isJsonObject } from './object-map.js'
import type { JsonSchema, Schema } from './schema.js'

/** Returns the value, typed, or throws `body_invalid` with the paths of invalid members and what was expected there. */
export type Check<T> = (value: unknown) => T

/** Options of `compile`. */
export interface CheckOptions {
  /** The name of the value in error messages: `body` (default), `query`, `answer`. */
  readonly what?: string
  /** Converts text to numbers and booleans, for query strings. Default false. */
  readonly fromText?: boolean
}

/**
 * Validation stops at the first error, because a list of all errors of a hostile body could exhaust memory. Schemas are not validated against the
 * meta-schema, whose compilation takes fifty times as long as theirs.
 */
const AJV = { allErrors: false, strict: false, verbose: true, meta: false, validateSchema: false } as const

/** Compiles a schema into a check. Compile once and reuse the check. */
export function compile<T>(schema: Schema<T>, { what = 'body', fromText = false }: CheckOptions = {}): Check<T> {
  const ajv = new Ajv2020({ ...AJV, coerceTypes: fromText })
  const validate: ValidateFunction = ajv.compile(schema as object)
  return value => {
    if (validate(value)) return value as T
    const errors = [...wrongMembers(ajv, schema, value, mostSpecific(validate.errors))]
    const [first] = errors
    const summary = first ? `${first.path || 'it'} ${first.message}` : 'it does not fit its schema'
    throw new SyncError('body_invalid', `The ${what} is not valid: ${summary}.`, { details: { errors } })
  }
}

/** Returns one error for each invalid top-level member, or only the first error if none of them is invalid. */
function wrongMembers(ajv: Ajv2020, schema: JsonSchema, value: unknown, first?: ErrorObject): readonly ProblemPart[] {
  const given = first ? [problemPart(first)] : []
  const members = schema['properties'] as { readonly [name: string]: JsonSchema } | undefined
  if (members === undefined || !isJsonObject(value)) return given
  const required = (schema['required'] ?? []) as readonly string[]
  const wrong = Object.entries(members).flatMap(([name, member]) => {
    if (!Object.hasOwn(value, name))
      return required.includes(name) ? [{ path: pointer('', name), message: MISSING }] : []
    if (ajv.validate(member as object, value[name])) return []
    const error = mostSpecific(ajv.errors)
    return error ? [problemPart(error, pointer('', name))] : []
  })
  return wrong.length > 0 ? wrong : given
}

/**
 * Returns the most specific of a union's errors: the deepest one, which belongs to the variant that fits best. If no variant fits at all, the error
 * lists all of their types.
 */
function mostSpecific(errors: readonly ErrorObject[] | null | undefined): ErrorObject | undefined {
  const own = (errors ?? []).filter(({ keyword }) => keyword !== 'anyOf')
  const depth = Math.max(...own.map(depthOf))
  const deepest = own.filter(error => depthOf(error) === depth)
  const [first] = deepest
  const other = deepest.find(({ keyword }) => keyword !== 'type')
  if (other || !first) return other
  const same = deepest.filter(({ instancePath }) => instancePath === first.instancePath)
  const kinds = new Set(same.flatMap(({ params }) => params['type']))
  return { ...first, message: `must be ${[...kinds].join(' or ')}` }
}

const depthOf = ({ instancePath }: ErrorObject): number => instancePath.split('/').length

const MISSING = 'is required, but missing'

const pointer = (path: string, name: string): string => `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

function problemPart(
  { keyword, params, instancePath, message, parentSchema, data }: ErrorObject,
  above = '',
): ProblemPart {
  const path = above + instancePath
  if (keyword === 'required') return { path: pointer(path, String(params['missingProperty'])), message: MISSING }
  if (keyword === 'additionalProperties') {
    const allowed = Object.keys((parentSchema as JsonSchema | undefined)?.['properties'] ?? {}).join(', ')
    const name = String(params['additionalProperty'])
    return { path: pointer(path, name), message: `is not allowed here; allowed are ${allowed}` }
  }
  const values = params['allowedValues'] ?? params['allowedValue']
  const expected = `${message ?? 'is not valid'}${values === undefined ? '' : `: ${JSON.stringify(values)}`}`
  return { path, message: `${expected}, got ${SECRET.test(path) ? kindOf(data) : describeValue(data)}` }
}

/** Members whose values never appear in error responses, because responses end up in logs and tickets. */
const SECRET = /\/(?:password|session|token|secret|device_pin)(?:\/|$)/

function kindOf(value: unknown): string {
  if (value === null || typeof value === 'object') return describeValue(value)
  return typeof value === 'string' ? `a text of ${value.length} characters` : `a ${typeof value}`
}

/** Describes a received value in at most a few characters. */
function describeValue(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string')
    return value.length > 40 ? `a text of ${value.length} characters` : JSON.stringify(value)
  return String(value)
}
