import type { AuditEntry, JsonValue } from '@godwit/protocol'
import type { AuditRow } from '@godwit/store'

/** An audited action before it has a number and a hash. */
export type AuditedAction = Omit<AuditEntry, 'number' | 'hash'>

/** The longest text stored from a caller's input, in characters. */
const MAX_TEXT = 256

/** Returns the text that is hashed and stored. The fixed member order gives equal entries equal texts. */
export const entryText = (
  number: number,
  { time, login, role, action, about, address, result }: AuditedAction,
): string => JSON.stringify([number, time, login, role, action, about, address, result])

/** Parses a stored row into an entry. */
export function entryOf({ text, hash }: AuditRow): AuditEntry {
  const [number, time, login, role, action, about, address, result] = JSON.parse(text)
  return { number, time, login, role, action, about, address, result, hash }
}

/** Returns the entry number in a stored text; undefined if the text is not an entry. */
export function numberIn(text: string): number | undefined {
  try {
    return (JSON.parse(text) as unknown[])[0] as number
  } catch {
    return undefined
  }
}

/** Shortens values for storage: long texts are cut, and long lists keep their first items. */
export function truncateValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value
  if (Array.isArray(value)) return value.slice(0, MAX_TEXT / 8).map(truncateValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, truncateValue(member)]))
}
