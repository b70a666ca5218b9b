/** Returns a text that is equal for options of equal value. The order of keys counts, as it does in `order`. */
export const optionKey = (options: unknown): string => JSON.stringify(options, distinctJson) ?? ''

/** An undefined condition is refused, so it must differ from an omitted one. */
const distinctJson = (_name: string, value: unknown): unknown => {
  if (value === undefined) return { $undefined: true }
  return typeof value === 'number' && !Number.isFinite(value) ? { $number: String(value) } : value
}
