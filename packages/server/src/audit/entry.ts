import type { AuditEntry, JsonValue } from '@godwit/protocol'
import type { AuditRow } from '@godwit/store'

/** What somebody did, before it has its place in the audit. */
export type AuditedAction = Omit<AuditEntry, 'number' | 'hash'>

/** The longest text that is kept of what a caller gave. */
const MAX_TEXT = 256

/** The text that is hashed and kept: its members have an order, so that the same entry is always the same text. */
export const entryText = (
  number: number,
  { time, login, role, action, about, address, result }: AuditedAction,
): string => JSON.stringify([number, time, login, role, action, about, address, result])

/** The entry of a row as it is read. */
export function entryOf({ text, hash }: AuditRow): AuditEntry {
  const [number, time, login, role, action, about, address, result] = JSON.parse(text)
  return { number, time, login, role, action, about, address, result, hash }
}

/** The number that a text says it has; undefined: it is no entry. */
export function numberIn(text: string): number | undefined {
  try {
    return (JSON.parse(text) as unknown[])[0] as number
  } catch {
    return undefined
  }
}

/** Values as they are kept: long texts are cut, of long lists the beginning is told. */
export function truncateValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value
  if (Array.isArray(value)) return value.slice(0, MAX_TEXT / 8).map(truncateValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, truncateValue(member)]))
}
