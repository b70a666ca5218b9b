/** What a refusal says of such text. */
export const HALF_PAIR = 'half a surrogate pair, which no UTF-8 holds: expected well-formed Unicode'

/** The depth at which checking stops: deeper JSON is refused elsewhere, or is cyclic. */
const MAX_DEPTH = 1000

/**
 * Whether a value has only well-formed text, in its names too, however deep. What has half a surrogate pair would be kept as other text, so that
 * ids that differ became one: it is refused wherever text enters.
 */
export function isWellFormed(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return true
  if (Array.isArray(value)) return value.every(member => isWellFormed(member, depth + 1))
  for (const name of Object.keys(value))
    if (!name.isWellFormed() || !isWellFormed((value as Record<string, unknown>)[name], depth + 1)) return false
  return true
}

/** In JSON that was UTF-8, only an escape spells half a pair: the value is looked at only where one stands. */
const ESCAPED = /\\u[dD][89a-fA-F]/

/** The same of the value that a JSON text was read as. */
export const isWellFormedJson = (text: string, value: unknown): boolean => !ESCAPED.test(text) || isWellFormed(value)
