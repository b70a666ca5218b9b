const MAX_DEPTH = 200

/** Whether a value is plain JSON: text, finite numbers, Booleans, null, lists and plain objects, to a limited depth. */
export function isJson(value: unknown, depth: number = 0): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || depth > MAX_DEPTH) return false
  if (Array.isArray(value)) return value.every(member => isJson(member, depth + 1))
  return isPlain(value) && Object.values(value).every(member => isJson(member, depth + 1))
}

/** Whether a value has named members: for a list, a promise or a Map, the result would be empty. */
export const hasMembers = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  (isPlain(value) || Object.keys(value).length > 0)

/** True for an object without a class, possibly of another realm; false for a Map, a Date or a promise. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
