/** The part of an error message that describes text with an unpaired surrogate. */
export const HALF_PAIR = 'half a surrogate pair, which no UTF-8 holds: expected well-formed Unicode'

/** Maximum depth to check: deeper JSON is refused elsewhere, or is cyclic. */
const MAX_DEPTH = 1000

/**
 * True if all text in a value is well-formed Unicode, including member names, at any depth. Text with an unpaired surrogate would be stored as other
 * text, so that different ids could become equal; all inputs refuse it.
 */
export function isWellFormed(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return true
  if (Array.isArray(value)) return value.every(member => isWellFormed(member, depth + 1))
  for (const name of Object.keys(value))
    if (!name.isWellFormed() || !isWellFormed((value as Record<string, unknown>)[name], depth + 1)) return false
  return true
}

/** Matches an escaped surrogate. In JSON decoded from UTF-8, only an escape can produce one, so other values need no check. */
const ESCAPED = /\\u[dD][89a-fA-F]/

/** Like `isWellFormed`, for a value parsed from JSON text. */
export const isWellFormedJson = (text: string, value: unknown): boolean => !ESCAPED.test(text) || isWellFormed(value)
