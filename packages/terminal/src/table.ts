import { plainLine } from './plain-line.js'

/** How a table looks where it is shown. */
export interface TableStyle {
  /** Characters of a line; longer ones are cut. Undefined: no line is cut. */
  readonly width?: number | undefined
  /** Sets off the head. Default: it looks like the other lines. */
  readonly bold?: ((head: string) => string) | undefined
  /** The title of a column. Default: its name. */
  readonly title?: (name: string) => string
}

/** Rows as aligned columns below a head: numbers to the right. */
export function table<Row extends object>(
  rows: readonly Row[],
  names: readonly (keyof Row & string)[],
  { width, bold = head => head, title = name => name }: TableStyle = {},
): string {
  const texts = rows.map(row => names.map(name => plainLine(row[name])))
  const widths = names.map((name, at) =>
    texts.reduce((most, row) => Math.max(most, row[at]?.length ?? 0), title(name).length),
  )
  const areNumbers = names.map(
    name => rows.length > 0 && rows.every(row => row[name] === undefined || typeof row[name] === 'number'),
  )
  const line = (cells: readonly string[]): string => {
    const padded = cells.map((cell, at) =>
      areNumbers[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
    )
    return truncate(padded.join('  ').trimEnd(), width)
  }
  return `${[bold(line(names.map(title))), ...texts.map(line)].join('\n')}\n`
}

const truncate = (line: string, width = Number.POSITIVE_INFINITY): string =>
  line.length > width ? `${line.slice(0, width - 1)}\u2026` : line
