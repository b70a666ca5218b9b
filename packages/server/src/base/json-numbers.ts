import { endOfString } from './json-depth.js'

/**
 * Matches a number with a three-digit exponent or of 200 digits, perhaps within a string. Digits are scanned only once, from where a value may begin.
 */
const LARGE_NUMBER = /(?:^|[\s:,[])-?\d(?:\d{199}|[\d.]*[eE]\+?\d{3})/
/** The start of a string or a number. */
const TOKEN = /["\d-]/g
const NUMBER = /[-+.\deE]*/y
/** The length of the shortest number that a double cannot hold. */
const MIN_LENGTH = '1e309'.length

/** The part of an error message about such a number. */
export const OVERFLOW_MESSAGE = 'a number is beyond what a double holds: send it as text'

/**
 * True if a JSON text has a number that a double cannot hold: it would be parsed as infinity and serialised as `null`. Scans each character once,
 * without parsing.
 */
export function hasOverflow(text: string): boolean {
  if (!LARGE_NUMBER.test(text)) return false
  TOKEN.lastIndex = 0
  for (let token = TOKEN.exec(text); token; token = TOKEN.exec(text)) {
    if (token[0] === '"') TOKEN.lastIndex = endOfString(text, token.index) + 1
    else {
      NUMBER.lastIndex = token.index
      NUMBER.test(text)
      TOKEN.lastIndex = NUMBER.lastIndex
      if (overflows(text, token.index, NUMBER.lastIndex)) return true
    }
  }
  return false
}

function overflows(text: string, start: number, end: number): boolean {
  return end - start >= MIN_LENGTH && !Number.isFinite(Number(text.slice(start, end)))
}
