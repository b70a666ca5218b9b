import { boolean, either, number, type Schema, string } from '../schema.js'
import { MAX_BY, MAX_PARAMETER_LENGTH, type PartitionParameters } from './parameters.js'

export const parametersSchema: Schema<PartitionParameters> = {
  type: 'object',
  minProperties: 1,
  maxProperties: MAX_BY,
  additionalProperties: either(either(string({ maxLength: MAX_PARAMETER_LENGTH }), number()), boolean),
}

/** The JSON text of parameters in a query string. */
export const parametersTextSchema: Schema<string> = string({ minLength: 2, maxLength: 4096 })
