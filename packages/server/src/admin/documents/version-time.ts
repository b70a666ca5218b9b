import type { CollectionId, Collections } from '@godwit/store'
import { LAST_TIME } from '../../backend/sources/last-time.js'

const FIRST_STEP = 60_000

/** Returns when a version was written, in milliseconds since 1970; undefined if it is older than the history. `now` only says where the search begins. */
export async function versionTime(
  collections: Pick<Collections, 'versionAt'>,
  collection: CollectionId,
  { version, now }: { readonly version: number; readonly now: number },
): Promise<number | undefined> {
  const isThere = async (time: number): Promise<boolean> => (await collections.versionAt(collection, time)) >= version
  if (await isThere(0)) return undefined
  let [from, to] = [now - FIRST_STEP, now]
  for (let step = FIRST_STEP; from > 0 && (await isThere(from)); step *= 2) {
    to = from
    from = Math.max(0, from - step)
  }
  // Written under a clock that was ahead, or never.
  for (let step = FIRST_STEP; !(await isThere(to)); step *= 2) {
    if (to === LAST_TIME) return undefined
    from = to
    to = Math.min(to + step, LAST_TIME)
  }
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2)
    if (await isThere(middle)) to = middle
    else from = middle
  }
  return to
}
