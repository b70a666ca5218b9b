/** Within how many seconds a share of what was counted was done: between two bounds it is taken to be spread evenly. */
export function quantile(counts: Iterable<number>, bounds: readonly number[], share: number): number {
  const all = [...counts]
  const wanted = all.reduce((sum, count) => sum + count, 0) * share
  let below = 0
  for (const [place, count] of all.entries()) {
    if (count > 0 && below + count >= wanted) {
      const from = bounds[place - 1] ?? 0
      const to = bounds[place] ?? from
      return from + (to - from) * Math.max(0, (wanted - below) / count)
    }
    below += count
  }
  return 0
}
