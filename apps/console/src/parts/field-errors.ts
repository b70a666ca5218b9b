import { isSyncError } from '@godwit/admin-client'
import { number } from './format.js'

/** What is wrong with the fields of a form, by the field's name. */
export interface FieldErrors {
  readonly [field: string]: string | undefined
}

interface Bounds {
  readonly min: number
  readonly max: number
}

/** Checks a typed whole number. Returns a sentence about the field, or undefined if the number is valid. */
export function wholeNumberError(label: string, text: string, { min, max }: Bounds): string | undefined {
  if (!/^\s*-?\d+\s*$/.test(text)) return `${label} is a whole number`
  const value = Number(text)
  if (value < min) return `${label} is at least ${number(min)}`
  return value > max ? `${label} is at most ${number(max)}` : undefined
}

/** Returns what the server rejected, by the name of the field. `byCode` names the field that an error code is about. */
export function fieldErrorsOf(error: unknown, byCode: { readonly [code: string]: string } = {}): FieldErrors {
  if (!isSyncError(error)) return {}
  const field = byCode[error.code]
  if (field !== undefined) return { [field]: error.message }
  const { errors } = error.details
  if (!Array.isArray(errors)) return {}
  return Object.fromEntries(
    errors.map(({ path, message }: FieldProblem) => [nameIn(path), sentenceAbout(nameIn(path), message)]),
  )
}

interface FieldProblem {
  readonly path: string
  readonly message: string
}

/** `login`, `must be a string` → Login must be a string. A message without the name as its subject stands alone. */
function sentenceAbout(name: string, message: string): string {
  const text = /^(?:must|is) /.test(message) ? `${name.replaceAll('_', ' ')} ${message}` : message
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The last part of a JSON pointer: `/data/sync_priority` → `sync_priority`. */
const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
