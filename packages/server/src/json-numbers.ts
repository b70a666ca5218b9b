/** A number with an exponent of three digits, or of 200 digits, perhaps within a string. Digits are looked at once, from where a value may begin. */
const PERHAPS = /(?:^|[\s:,[])-?\d(?:\d{199}|[\d.]*[eE]\+?\d{3})/

/** What a refusal says of such a number. */
export const BEYOND = 'a number is beyond what a double holds: send it as text'

/** Whether a JSON text has a number beyond what a double holds: read, it would be infinite, and written again `null`. */
export function hasBeyond(text: string): boolean {
  if (!PERHAPS.test(text)) return false
  let isFound = false
  JSON.parse(text, (_, value: unknown) => {
    isFound ||= value === Infinity || value === -Infinity
    return value
  })
  return isFound
}
