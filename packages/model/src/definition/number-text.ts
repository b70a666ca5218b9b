/** Returns true if SQLite converts the text to a number in a numeric column. */
export const spellsNumber = (text: string): boolean => /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text)

/**
 * Returns true if a number represents a whole number's digits exactly; an id of 30 digits would change. Text with a fraction or exponent may be
 * rounded.
 */
export function keepsDigits(text: string): boolean {
  const digits = /^\s*[+-]?(\d+)\s*$/.exec(text)?.[1]
  if (digits === undefined) return true
  const number = Number(digits)
  return Number.isFinite(number) && BigInt(digits) === BigInt(number)
}

/** Returns true if a value is a SHA-256 in lower-case hexadecimal, the form of a blob in rows, changes and the protocol. */
export const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
