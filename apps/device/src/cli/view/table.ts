import type { Terminal } from '../terminal.js'

/** Rows as aligned columns under a bold head: numbers to the right, the last column cut at the edge of a terminal. */
export function table<Row extends object>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
  terminal: Pick<Terminal, 'colours' | 'interactive' | 'columns'>,
): string {
  const texts = rows.map(row => columns.map(name => text(row[name])))
  const widths = columns.map((name, index) =>
    texts.reduce((most, row) => Math.max(most, row[index]?.length ?? 0), name.length),
  )
  const right = columns.map(
    name => rows.length > 0 && rows.every(row => row[name] === undefined || typeof row[name] === 'number'),
  )
  const line = (cells: readonly string[]): string => {
    const padded = cells.map((cell, index) =>
      right[index] ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
    )
    return cut(padded.join('  ').trimEnd(), terminal)
  }
  const head = line(columns)
  return `${[terminal.colours ? `\u001b[1m${head}\u001b[22m` : head, ...texts.map(line)].join('\n')}\n`
}

/** One line whatever the value holds: control characters of hostile text do not reach the terminal. */
function text(value: unknown): string {
  if (value === undefined || value === null) return ''
  const shown = value instanceof Date ? value.toISOString() : String(value)
  return shown.replace(/\p{Cc}/gu, '\u00b7')
}

const cut = (line: string, { interactive, columns }: Pick<Terminal, 'interactive' | 'columns'>): string =>
  interactive && line.length > columns ? `${line.slice(0, columns - 1)}\u2026` : line
