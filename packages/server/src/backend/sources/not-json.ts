/** The deepest nesting accepted, which also detects cycles. */
const DEEPEST = 100

/**
 * Returns what is not JSON among the attributes, like `"photo" is a Buffer`, or undefined; dates are accepted. Serialising would otherwise drop or
 * change such a value: bytes become a list of numbers, a Map becomes empty.
 */
export function notJson(attributes: { readonly [name: string]: unknown }): string | undefined {
  for (const name of Object.keys(attributes)) {
    const value = attributes[name]
    if (isPlain(value)) continue
    const found = flawOf(value, JSON.stringify(name), 1)
    if (found !== undefined) return found
  }
  return undefined
}

const isPlain = (value: unknown): boolean =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  value === null ||
  value === undefined ||
  Number.isFinite(value)

function flawOf(value: unknown, path: string, depth: number): string | undefined {
  if (isPlain(value)) return undefined
  if (typeof value !== 'object' || value === null) return `${path} is ${nameOf(value)}`
  if (depth > DEEPEST) return `${path.slice(0, 80)}… is nested over ${DEEPEST} deep`
  if (value instanceof Date && Number.isFinite(value.getTime())) return undefined
  if (Array.isArray(value)) return firstOf(value.entries(), at => `${path}[${at}]`, depth)
  if (!isPlainObject(value)) return `${path} is ${nameOf(value)}`
  return firstOf(Object.entries(value), name => `${path}.${name}`, depth)
}

function firstOf<Key>(
  members: Iterable<readonly [Key, unknown]>,
  pathOf: (key: Key) => string,
  depth: number,
): string | undefined {
  for (const [key, member] of members) {
    if (isPlain(member)) continue
    const found = flawOf(member, pathOf(key), depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** True for object literals, parsed JSON and objects without a prototype, also from another realm. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function nameOf(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (value instanceof Date) return 'an invalid date'
  if (typeof value !== 'object' || value === null) return `a ${typeof value}`
  const maker: unknown = value.constructor
  return `a ${typeof maker === 'function' && maker.name !== '' ? maker.name : 'class instance'}`
}
