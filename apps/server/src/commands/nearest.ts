/** Returns the name closest to the word; undefined if none is close. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const distances = names.map(name => ({ name, distance: distanceOf(word.toLowerCase(), name.toLowerCase()) }))
  const [best] = distances.sort((one, other) => one.distance - other.distance)
  return best && best.distance <= Math.max(1, Math.floor(best.name.length / 3)) ? best.name : undefined
}

/** Returns " Did you mean X?", or '' without a close name. */
export function didYouMean(word: string, names: readonly string[], format = (name: string): string => name): string {
  const name = nearest(word, names)
  return name === undefined ? '' : ` Did you mean ${format(name)}?`
}

/** Returns the number of letters to add, remove, replace or swap with the next. */
function distanceOf(one: string, other: string): number {
  let [beforeLast, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const differs = Number(one[i - 1] !== other[j - 1])
      const isExchange = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const [above, left, diagonal] = [at(last, j), at(row, j - 1), at(last, j - 1)]
      row.push(Math.min(above + 1, left + 1, diagonal + differs, isExchange ? at(beforeLast, j - 2) + 1 : Infinity))
    }
    beforeLast = last
    last = row
  }
  return at(last, other.length)
}

const at = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY
