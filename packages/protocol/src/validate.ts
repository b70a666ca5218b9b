import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { ProblemPart } from './errors/problem.js'
import { SyncError } from './errors/sync-error.js'
import type { Schema } from './schema.js'

/** A value in, the same value typed out, or a `body_invalid` that lists paths and expectations. */
export type Check<T> = (value: unknown) => T

export interface CheckOptions {
  /** What the value is, for the message: `body` (default), `query`, `answer`. */
  readonly what?: string
  /** Reads numbers and booleans from text, as query strings need. Default false. */
  readonly fromText?: boolean
}

/** Compiles a schema into a check. Compile once, check often. */
export function compile<T>(schema: Schema<T>, { what = 'body', fromText = false }: CheckOptions = {}): Check<T> {
  const validate: ValidateFunction = new Ajv2020({ allErrors: false, strict: false, coerceTypes: fromText }).compile(schema as object)
  return value => {
    if (validate(value)) return value as T
    const errors = (validate.errors ?? []).map(part)
    const first = errors[0] ?? { path: '', message: 'is not valid' }
    throw new SyncError('body_invalid', `The ${what} is not valid: ${first.path || 'it'} ${first.message}.`, { details: { errors } })
  }
}

function part(error: ErrorObject): ProblemPart {
  const allowed = error.params['allowedValues'] ?? error.params['allowedValue'] ?? error.params['additionalProperty']
  const message = error.message ?? 'is not valid'
  return { path: error.instancePath, message: allowed === undefined ? message : `${message}: ${JSON.stringify(allowed)}` }
}
