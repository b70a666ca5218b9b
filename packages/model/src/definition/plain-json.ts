const MAX_DEPTH = 200

/** Text, finite numbers, Booleans, null, lists and plain objects of these, and no deeper than anybody writes by hand. */
export function isJson(value: unknown, depth: number = 0): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || depth > MAX_DEPTH) return false
  if (Array.isArray(value)) return value.every(member => isJson(member, depth + 1))
  return isPlain(value) && Object.values(value).every(member => isJson(member, depth + 1))
}

/** Whether it has members by name: a list, a promise or a Map has none, and what is made of it would be empty. */
export const hasMembers = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  (isPlain(value) || Object.keys(value).length > 0)

/** Of no class: neither a Map nor a Date nor a promise. Also one of another realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
