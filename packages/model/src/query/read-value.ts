import { type AttributeValue, SyncError } from '@godwit/protocol'
import { isJson } from '../definition/plain-json.js'
import { valueText } from '../definition/value-text.js'

/** Reads a value to compare with, or a list of values. Undefined throws, because it is usually a mistake: use null for missing. */
export function readValue(what: string, value: unknown): AttributeValue {
  for (const one of Array.isArray(value) ? value : [value]) if (!isJson(one)) throw invalid(what, one)
  return value as AttributeValue
}

const invalid = (what: string, value: unknown): SyncError =>
  new SyncError(
    'query_invalid',
    `${what}: expected text, a finite number, a Boolean, null or JSON, got ${valueText(value)}.`,
  )
