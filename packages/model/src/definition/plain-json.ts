const MAX_DEPTH = 200

/** Returns true if a value is plain JSON: text, finite numbers, Booleans, null, lists and plain objects, to a limited depth. */
export function isJson(value: unknown, depth: number = 0): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || depth > MAX_DEPTH) return false
  if (Array.isArray(value)) return value.every(member => isJson(member, depth + 1))
  return isPlain(value) && Object.values(value).every(member => isJson(member, depth + 1))
}

/** Returns true if a value is an object whose members are its data, unlike a list, a promise or a Map. */
export const hasMembers = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  (isPlain(value) || Object.keys(value).length > 0)

/** Returns true for an object without a class, also of another realm; false for a Map, a Date or a promise. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
