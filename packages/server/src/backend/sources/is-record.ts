/**
 * True if a value from a source has its content in named members, which includes instances of classes. A Map, date, promise or response keeps it
 * elsewhere, and would be taken for empty.
 */
export const isRecord = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' &&
  value !== null &&
  !(Symbol.iterator in value) &&
  !(value instanceof Date) &&
  !(value instanceof Response) &&
  !isThenable(value)

const isThenable = (value: object): boolean => 'then' in value && typeof value.then === 'function'
