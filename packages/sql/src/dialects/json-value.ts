import type { AttributeValue } from '@godwit/protocol'

/** A number outside of texts. */
const NUMBERS = /"(?:[^"\\]|\\.)*"|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g

/** Parses JSON; returns the text itself if a number in it would change. */
export function jsonValue(text: string): AttributeValue {
  for (const [, number] of text.matchAll(NUMBERS)) if (number !== undefined && !survives(number)) return text
  return JSON.parse(text) as AttributeValue
}

/** True if a double holds the number exactly as it is written, apart from zeros at its end. */
export function survives(number: string): boolean {
  const [digits, exponent] = normal(number)
  const [doubleDigits, doubleExponent] = normal(String(Number(number)))
  return digits === doubleDigits && exponent === doubleExponent
}

/** The significant digits, and the power of ten of the last one. */
function normal(number: string): readonly [digits: string, exponent: number] {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number)
  if (!match) return [number, 0]
  const [, sign = '', whole = '', fraction = '', power = '0'] = match
  const all = `${whole}${fraction}`.replace(/^0+/, '')
  const digits = all.replace(/0+$/, '')
  if (digits === '') return ['0', 0]
  return [sign + digits, Number(power) - fraction.length + (all.length - digits.length)]
}
