import { type AttributeValue, SyncError } from '@godwit/protocol'
import { isJson } from '../definition/plain-json.js'
import { valueText } from '../definition/value-text.js'

/** Validates a value to compare with, or a list of values. Throws for undefined, which is usually a mistake; null means missing. */
export function readValue(what: string, value: unknown): AttributeValue {
  for (const one of Array.isArray(value) ? value : [value]) if (!isJson(one)) throw invalid(what, one)
  return value as AttributeValue
}

const invalid = (what: string, value: unknown): SyncError =>
  new SyncError(
    'query_invalid',
    `${what}: expected text, a finite number, a Boolean, null or JSON, got ${valueText(value)}.`,
  )
