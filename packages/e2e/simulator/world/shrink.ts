/** Returns the shortest list found for which `holds` is true, by omitting halves, quarters, and finally items. Calls `holds` up to `most` times. */
export async function shrink<Item>(
  items: readonly Item[],
  holds: (items: readonly Item[]) => Promise<boolean>,
  most = 400,
): Promise<readonly Item[]> {
  let shortest = items
  let left = most
  for (let size = Math.ceil(items.length / 2); size >= 1 && left > 0; ) {
    let found = false
    for (let from = 0; from < shortest.length && left > 0; ) {
      const shorter = [...shortest.slice(0, from), ...shortest.slice(from + size)]
      left--
      if (await holds(shorter)) {
        shortest = shorter
        found = true
      } else from += size
    }
    if (!found || size > 1) size = size > 1 ? Math.ceil(size / 2) : found ? 1 : 0
  }
  return shortest
}
