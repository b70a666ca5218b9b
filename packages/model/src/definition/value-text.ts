import { isJson } from './plain-json.js'

const MAX_TEXT_LENGTH = 200

/** Returns a value as text for a message: its JSON or, if it is not JSON, the name of its kind. */
export function valueText(value: unknown): string {
  if (isJson(value)) return JSON.stringify(value).slice(0, MAX_TEXT_LENGTH)
  if (typeof value === 'bigint') return `${value}n`
  return typeof value === 'object' ? Object.prototype.toString.call(value).slice(8, -1) : String(value)
}
