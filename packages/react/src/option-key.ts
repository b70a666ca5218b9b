/** Returns a text that is equal for options of equal value. Key order is significant, as in `order`. */
export const optionKey = (options: unknown): string => JSON.stringify(options, distinctJson) ?? ''

/** An undefined condition is rejected, so its key must differ from that of an omitted one. */
const distinctJson = (_name: string, value: unknown): unknown => {
  if (value === undefined) return { $undefined: true }
  return typeof value === 'number' && !Number.isFinite(value) ? { $number: String(value) } : value
}
