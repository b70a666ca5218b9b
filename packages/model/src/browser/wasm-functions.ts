/** A function that WebAssembly calls. In its parameters, `i` is a 32-bit integer and `j` a 64-bit one, as a bigint. */
export type CalledFunction = readonly [parameters: string, run: (...values: never[]) => number]

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]
const TYPES = 1
const IMPORTS = 2
const EXPORTS = 7
const FUNCTION = 0x00
const SIGNATURE = 0x60
const I32 = 0x7f
const I64 = 0x7e

/** LEB128 encoding of up to 14 bits. */
const number = (value: number): readonly number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, value >> 7])
const list = (parts: readonly (readonly number[])[]): readonly number[] => [...number(parts.length), ...parts.flat()]
const section = (id: number, parts: readonly (readonly number[])[]): readonly number[] => {
  const content = list(parts)
  return [id, ...number(content.length), ...content]
}
const name = (at: number): readonly number[] => list([...String(at)].map(digit => [digit.charCodeAt(0)]))

/**
 * Adds functions to the table by which SQLite calls them, and returns their indexes. A table accepts only functions of a WebAssembly type; a small
 * module that imports and exports them provides it.
 */
export function placed(table: WebAssembly.Table, functions: readonly CalledFunction[]): readonly number[] {
  const types = functions.map(([parameters]) => [
    SIGNATURE,
    ...list([...parameters].map(type => [type === 'j' ? I64 : I32])),
    ...list([[I32]]),
  ])
  const bytes = [
    ...HEADER,
    ...section(TYPES, types),
    ...section(
      IMPORTS,
      functions.map((_, at) => [...list([]), ...name(at), FUNCTION, ...number(at)]),
    ),
    ...section(
      EXPORTS,
      functions.map((_, at) => [...name(at), FUNCTION, ...number(at)]),
    ),
  ]
  const given = Object.fromEntries(functions.map(([, run], at) => [at, run]))
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes)), { '': given })
  const first = table.grow(functions.length)
  return functions.map((_, at) => {
    table.set(first + at, exports[at])
    return first + at
  })
}
