/** The kind of a value from any thread, frame or realm: `Object`, `Array`, `Date` … */
export const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1)

/** Deeply freezes plain data received over a port. */
export function deepFreeze<T>(value: T): T {
  if (isPlain(value)) {
    for (const member of Object.values(value)) deepFreeze(member)
    Object.freeze(value)
  }
  return value
}

/** Compares the content of two values received over a port. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (tagOf(one) !== tagOf(other)) return false
  if (tagOf(one) === 'Date') return Object.is(Number(one), Number(other))
  if (!isPlain(one) || !isPlain(other)) return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every(name => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  )
}

const isPlain = (value: unknown): value is { readonly [name: string]: unknown } =>
  ['Object', 'Array'].includes(tagOf(value))
