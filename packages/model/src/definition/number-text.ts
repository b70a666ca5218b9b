/** Whether SQLite reads the text as a number in a numeric column. */
export const spellsNumber = (text: string): boolean => /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text)

/** Whether a number can hold the digits of a text: an id of thirty digits would become another one. Text with a fraction or an exponent may be rounded. */
export function keepsDigits(text: string): boolean {
  const digits = /^\s*[+-]?(\d+)\s*$/.exec(text)?.[1]
  if (digits === undefined) return true
  const number = Number(digits)
  return Number.isFinite(number) && BigInt(digits) === BigInt(number)
}

/** Whether a value is a SHA-256 in lower-case hexadecimal, the form of a blob in rows, changes and on the wire. */
export const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
