import { styleText } from 'node:util'
import type { CommandHost } from '../command.js'

type Output = Pick<CommandHost, 'stdout'>['stdout']

/** Rows as aligned columns below their names: numbers to the right, lines cut at the edge of a terminal. */
export function formatTable<Row extends object>(
  rows: readonly Row[],
  names: readonly (keyof Row & string)[],
  output: Output,
): string {
  if (rows.length === 0) return ''
  const texts = rows.map(row => names.map(name => plain(row[name])))
  const widths = names.map((name, at) => Math.max(name.length, ...texts.map(row => row[at]?.length ?? 0)))
  const areNumbers = names.map(name => rows.every(row => row[name] === undefined || typeof row[name] === 'number'))
  const line = (cells: readonly string[]): string =>
    cut(
      cells
        .map((cell, at) => (areNumbers[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
      output,
    )
  const head = line(names.map(name => name.replaceAll('_', ' ')))
  return `${[output.isTTY ? styleText('bold', head, { stream: output as NodeJS.WriteStream }) : head, ...texts.map(line)].join('\n')}\n`
}

/** Members of one thing, a line each. */
export function members(thing: object): string {
  const entries = Object.entries(thing)
  const width = Math.max(0, ...entries.map(([name]) => name.length))
  return entries.map(([name, value]) => `${name.replaceAll('_', ' ').padEnd(width)}  ${plain(value)}\n`).join('')
}

/** A line each. */
export const lines = (values: readonly string[]): string => values.map(value => `${plain(value)}\n`).join('')

/** One line whatever it holds: control characters of hostile text do not reach the terminal. */
export function plain(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.replace(/\p{Cc}/gu, '·')
}

const cut = (line: string, { isTTY, columns: width = 80 }: Output): string =>
  isTTY && line.length > width ? `${line.slice(0, width - 1)}…` : line
