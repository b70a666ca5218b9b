const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

/** Formats a size: `4 KiB`, `1.2 GiB`. */
export function bytes(count: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, count)) / 10)))
  const value = count / 1024 ** power
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`
}

/** Formats a duration: `0.4 ms`, `12 ms`, `1.5 s`. */
export function seconds(duration: number): string {
  if (duration >= 1) return `${duration.toFixed(1)} s`
  const milliseconds = duration * 1000
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`
}

const BARS = '▁▂▃▄▅▆▇█'

/** Formats values as bars in one line, scaled to the highest; `·` for zero. */
export function sparkline(values: readonly number[]): string {
  const highest = Math.max(0, ...values)
  return values.map(value => (value > 0 ? (BARS[Math.ceil((value / highest) * BARS.length) - 1] ?? '') : '·')).join('')
}
