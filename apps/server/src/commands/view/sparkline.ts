const BARS = '▁▂▃▄▅▆▇█'

/** Values as bars of one line, the highest at full height; `·` where there is nothing. */
export function sparkline(values: readonly number[]): string {
  const highest = Math.max(0, ...values)
  return values.map(value => (value > 0 ? (BARS[Math.ceil((value / highest) * BARS.length) - 1] ?? '') : '·')).join('')
}
