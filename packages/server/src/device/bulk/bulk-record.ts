import { createHash } from 'node:crypto'
import type { JsonValue } from '@godwit/protocol'
import type { CollectionId, RecordValue, Store } from '@godwit/store'

/** The part of a bulk file with one collection: everything up to `head`, a version of this epoch with this mark. */
export interface BulkPart {
  readonly source: string
  readonly partition: string
  readonly epoch: string
  readonly head: number
  readonly mark: string
  readonly count: number
}

/** A collection left out of a file because its first query was still to come. */
export type PendingPart = Pick<BulkPart, 'source' | 'partition'>

/** The registry's record of a bulk file. */
export interface BulkRecord {
  /** When its build started, by the store's clock in milliseconds since 1970. */
  readonly at: number
  /** A random id, which distinguishes files started in the same millisecond. */
  readonly build: string
  readonly parts: readonly BulkPart[]
  readonly pending: readonly PendingPart[]
  /** SHA-256 and bytes of the file as sent; '' and 0 if there is nothing to send. */
  readonly hash: string
  readonly size: number
}

const idOf = (key: string): string => `bulk:${key}`

/** The name of the reader that holds the floor for a bulk file, and of the lease of its build. */
export const bulkName = idOf

/** Returns the key of a bulk file: equal for equal collections. */
export function bulkKey(collections: readonly CollectionId[]): string {
  const names = collections.map(({ source, partition }) => [source, partition]).sort(compareNames)
  return createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, 32)
}

const compareNames = (left: readonly string[], right: readonly string[]): number =>
  JSON.stringify(left) < JSON.stringify(right) ? -1 : 1

/** Returns the record of a bulk file; undefined if none was built or it was forgotten. */
export async function getBulk({ registry }: Pick<Store, 'registry'>, key: string): Promise<BulkRecord | undefined> {
  const record = await registry.get('server', idOf(key))
  return record && ({ build: '', pending: [], ...record.value } as unknown as BulkRecord)
}

/** Stores the record of a bulk file, replacing an earlier one. */
export async function setBulk({ registry }: Pick<Store, 'registry'>, key: string, bulk: BulkRecord): Promise<void> {
  const value: RecordValue = {
    ...bulk,
    parts: bulk.parts as unknown as JsonValue,
    pending: bulk.pending as unknown as JsonValue,
  }
  if (!(await registry.create('server', { id: idOf(key), value }))) await registry.merge('server', idOf(key), value)
}

/** Forgets a bulk file whose blob was removed, so that it holds no floor. */
export async function forgetBulk(
  { registry, collections }: Pick<Store, 'registry' | 'collections'>,
  key: string,
  hash: string,
) {
  const bulk = await getBulk({ registry }, key)
  if (bulk?.hash !== hash) return
  await registry.delete('server', idOf(key))
  for (const part of bulk.parts) await collections.dropReader(part, bulkName(key))
}
