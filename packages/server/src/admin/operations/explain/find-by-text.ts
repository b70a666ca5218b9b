import type { AdminEngine } from '../../admin-engine.js'
import { listObjects } from '../../documents/list-objects.js'
import type { CollectionPath } from '../../documents/resolve-collection.js'

/** The number of objects found at most, and of reads of ten thousand objects at most. */
const MOST = 10
const READS = 20

/** The ids of the objects found, the number of objects that were looked at, and whether those were all. */
export interface TextSearch {
  readonly ids: readonly string[]
  readonly looked: number
  readonly isOver: boolean
}

/** Finds objects with a text in an attribute, in order of id. */
export async function findByText(
  engine: Pick<AdminEngine, 'store' | 'sources' | 'clock'>,
  path: CollectionPath,
  contains: string,
): Promise<TextSearch> {
  const ids: string[] = []
  let looked = 0
  let after: string | undefined
  for (let read = 0; read < READS; read++) {
    const page = await listObjects(engine, path, {
      contains,
      limit: MOST - ids.length,
      ...(after !== undefined && { after }),
    })
    ids.push(...page.objects.map(({ id }) => id))
    looked += page.looked
    after = page.next
    if (after === undefined || ids.length === MOST) break
  }
  return { ids, looked, isOver: after === undefined }
}
