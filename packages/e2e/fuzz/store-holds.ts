import { Checksum } from '@godwit/protocol'
import type { CollectionId, Store } from '@godwit/store'

/** Throws unless every collection has as many objects as its head says, with that checksum. */
export async function storeHolds(store: Store): Promise<void> {
  await store.check()
  for (const id of await store.collections.collections({ limit: 100_000 })) {
    const head = await store.collections.head(id)
    const { count, checksum } = await sumOf(store, id)
    if (head?.count === count && head.checksum === checksum) continue
    throw new Error(
      `${JSON.stringify(id)} says ${head?.count} objects, ${head?.checksum}; it has ${count}, ${checksum}`,
    )
  }
}

async function sumOf({ collections }: Store, id: CollectionId): Promise<{ count: number; checksum: string }> {
  const sum = new Checksum()
  let count = 0
  for (let after: string | undefined; ; count++) {
    const { rows } = await collections.list(id, { after, limit: 1 })
    const [row] = rows
    if (!row) return { count, checksum: sum.toString() }
    sum.add(row.id, row.version)
    after = row.id
  }
}
