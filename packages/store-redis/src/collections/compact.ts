import type { CollectionId } from '@godwit/store'
import type { RedisConnection } from '../connection.js'
import { compactScript } from '../scripts/compact.js'

export async function compact(
  connection: RedisConnection,
  collection: CollectionId,
  { below, limit }: { readonly below: number; readonly limit: number },
): Promise<{ readonly removed: number; readonly more: boolean }> {
  const counted = await connection.run(compactScript, connection.keys.of(collection), [below, limit])
  const [removed = 0, more = 0] = counted as readonly number[]
  return { removed, more: more === 1 }
}
