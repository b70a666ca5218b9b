const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

/** A size as people read it: `4 KiB`, `1.2 GiB`. */
export function bytes(count: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, count)) / 10)))
  const value = count / 1024 ** power
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`
}
