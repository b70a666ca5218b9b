import { endOfString } from './json-depth.js'

/** A number with an exponent of three digits, or of 200 digits, perhaps within a string. Digits are looked at once, from where a value may begin. */
const LARGE_NUMBER = /(?:^|[\s:,[])-?\d(?:\d{199}|[\d.]*[eE]\+?\d{3})/
/** Where a string or a number begins. */
const TOKEN = /["\d-]/g
const NUMBER = /[-+.\deE]*/y
/** Fewer characters are no number beyond a double. */
const MIN_LENGTH = '1e309'.length

/** What a refusal says of such a number. */
export const OVERFLOW_MESSAGE = 'a number is beyond what a double holds: send it as text'

/** Whether a JSON text has a number beyond what a double holds: read, it would be infinite, and written again `null`. Looks at each character once, and parses nothing. */
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
