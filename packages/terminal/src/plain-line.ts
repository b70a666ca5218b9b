/** The value as one line of text: control characters of hostile text do not reach the terminal. */
export function plainLine(value: unknown): string {
  return textOf(value).replace(/\p{Cc}/gu, '\u00b7')
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
