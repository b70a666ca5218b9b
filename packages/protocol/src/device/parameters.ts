import { canonicalJson } from '../canonical-json.js'
import { SyncError } from '../errors/sync-error.js'
import { isJsonObject, type JsonValue } from '../object-map.js'

/** Maximum number of attributes that name a partition. */
export const MAX_BY = 4

/** Maximum length of a text in the parameters of a partition, in characters. */
export const MAX_PARAMETER_LENGTH = 256

/**
 * The attributes that name a partition of a source with `by`, with their values: `{ project: '7' }`. One to four members. Values are compared with
 * their type: `'7'` and `7` name two partitions.
 */
export interface PartitionParameters {
  readonly [attribute: string]: string | number | boolean
}

/** A source, or one partition of a source with `by`. */
export interface SourceKey {
  /** The name of the source. */
  readonly source: string
  /** The partition. Absent for a source without `by`. */
  readonly parameters?: PartitionParameters | undefined
}

/** Returns the name of a partition: the canonical JSON of its parameters (RFC 8785), equal for equal parameters. */
export const parametersName = (parameters: PartitionParameters): string => canonicalJson(parameters)

/** Returns a text for a source or one of its partitions, equal for equal keys: the name of the source without parameters. */
export const sourceKeyText = ({ source, parameters }: SourceKey): string =>
  parameters === undefined ? source : `${source} ${parametersName(parameters)}`

/** True for values that may be in the parameters of a partition: text up to 256 characters, finite numbers and booleans. */
export function isParameterValue(value: unknown): value is string | number | boolean {
  if (typeof value === 'string') return value.length <= MAX_PARAMETER_LENGTH && value.isWellFormed()
  return typeof value === 'boolean' || Number.isFinite(value)
}

/** True for parameters of a partition. `by`: the attributes that they must name, no more and no less. Default: one to four of any name. */
export function isPartitionParameters(value: unknown, by?: readonly string[]): value is PartitionParameters {
  if (!isJsonObject(value)) return false
  const names = Object.keys(value)
  const isNamed =
    by === undefined
      ? names.length > 0 && names.length <= MAX_BY
      : names.length === by.length && by.every(name => Object.hasOwn(value, name))
  return isNamed && Object.values(value).every(isParameterValue)
}

/**
 * Returns the parameters of the partition that the attributes of an object name. Undefined if an attribute of `by` is missing, or is not text of up
 * to 256 characters, a number or a boolean.
 */
export function parametersOf(
  by: readonly string[],
  attributes: { readonly [name: string]: unknown },
): PartitionParameters | undefined {
  const parameters = Object.fromEntries(
    by.map(name => [name, Object.hasOwn(attributes, name) ? attributes[name] : undefined]),
  )
  return isPartitionParameters(parameters, by) ? parameters : undefined
}

/** Reads parameters from a query string, where they are JSON text. Throws `body_invalid`. */
export function readParameters(text: string | undefined): PartitionParameters | undefined {
  if (text === undefined) return undefined
  const value = parse(text)
  if (isPartitionParameters(value)) return value
  throw new SyncError(
    'body_invalid',
    `parameters: expected the JSON text of 1 to ${MAX_BY} attributes with text, a number or a boolean, got ${text.length > 40 ? `a text of ${text.length} characters` : JSON.stringify(text)}.`,
  )
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}
