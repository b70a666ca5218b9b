/** Median, smallest and largest of several runs. */
export interface Figure {
  readonly median: number
  readonly least: number
  readonly most: number
}

export function figure(values: readonly number[]): Figure {
  const sorted = [...values].sort((a, b) => a - b)
  return { median: percentile(sorted, 0.5), least: sorted[0] ?? Number.NaN, most: sorted.at(-1) ?? Number.NaN }
}

/** A percentile of values in ascending order. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

/** Runs a function and returns its duration in seconds. */
export async function seconds(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await run()
  return (performance.now() - began) / 1000
}

/** Times a fixed piece of work, in milliseconds, as a measure of other load on the machine. */
export function noise(): number {
  const began = performance.now()
  let sum = 0
  for (let turn = 0; turn < 2e7; turn++) sum = (sum + Math.imul(turn, 31)) | 0
  return sum === 1 ? 0 : performance.now() - began
}

/** Returns one percentile of single measurements, with minimum and maximum. */
export function share(measure: string, took: readonly number[], part: number) {
  const sorted = took.toSorted((a, b) => a - b)
  return { measure, median: percentile(sorted, part), least: sorted[0] ?? 0, most: sorted.at(-1) ?? 0 }
}
