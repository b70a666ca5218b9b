import type { CollectionId, Collections } from '@godwit/store'

const PRECISION = 1000
const FIRST_STEP = 60_000

/** Returns the time by which a version was written, in milliseconds since 1970, to the second; undefined if it is older than the history. */
export async function versionTime(
  collections: Pick<Collections, 'versionAt'>,
  collection: CollectionId,
  { version, now }: { readonly version: number; readonly now: number },
): Promise<number | undefined> {
  const isThere = async (time: number): Promise<boolean> => (await collections.versionAt(collection, time)) >= version
  if (await isThere(0)) return undefined
  let to = now
  let from = now - FIRST_STEP
  for (let step = FIRST_STEP; from > 0 && (await isThere(from)); step *= 2) {
    to = from
    from = Math.max(0, from - step)
  }
  while (to - from > PRECISION) {
    const middle = Math.floor((from + to) / 2)
    if (await isThere(middle)) to = middle
    else from = middle
  }
  return to
}
