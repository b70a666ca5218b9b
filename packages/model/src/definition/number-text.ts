/** Whether a text is a number, as SQLite reads text into a column of numbers. */
export const spellsNumber = (text: string): boolean => /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text)

/** Whether a number holds what a text of digits spells: an id of thirty would become another one. With a fraction or an exponent it may be rounded. */
export function keepsDigits(text: string): boolean {
  const digits = /^\s*[+-]?(\d+)\s*$/.exec(text)?.[1]
  if (digits === undefined) return true
  const number = Number(digits)
  return Number.isFinite(number) && BigInt(digits) === BigInt(number)
}

/** Whether a value is a SHA-256 in lower-case hexadecimal digits: what rows, changes and the wire have of a blob. */
export const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
