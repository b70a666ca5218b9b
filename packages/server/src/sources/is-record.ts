/**
 * Whether a source gave members by name. Rows of classes are records; what keeps its content elsewhere (a Map, a date, a promise, a response)
 * is none, and would be taken for empty.
 */
export const isRecord = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' &&
  value !== null &&
  !(Symbol.iterator in value) &&
  !(value instanceof Date) &&
  !(value instanceof Response) &&
  !isThenable(value)

const isThenable = (value: object): boolean => 'then' in value && typeof value.then === 'function'
