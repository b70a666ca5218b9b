/** Formats a plain text table, with the first column left-aligned and the others right-aligned. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, index) => Math.max(name.length, ...rows.map(row => row[index]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  ')
  return [line(head), widths.map(width => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n')
}

/** `123,456`, or with decimals below ten. */
export const formatNumber = (value: number): string =>
  value >= 10 ? Math.round(value).toLocaleString('en-US') : value.toLocaleString('en-US', { maximumFractionDigits: 2 })
