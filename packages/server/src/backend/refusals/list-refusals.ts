import {
  type Attributes,
  type Digests,
  type Refusal,
  type RefusalContent,
  type RefusalList,
  type RefusalPage,
  type SourceError,
  SyncError,
} from '@godwit/protocol'
import type { RegistryRecord, Store } from '@godwit/store'

type RefusalEngine = { readonly store: Pick<Store, 'registry'> }

/** The number of records that one request scans. */
const MAX_SCANNED = 2_000
const PAGE = 100

/** Lists refused mutations, newest first. */
export async function listRefusals(
  { store: { registry } }: RefusalEngine,
  { user, source, status, after, limit = 100 }: RefusalList,
): Promise<RefusalPage> {
  const refusals: Refusal[] = []
  let last = after
  for (let looked = 0; looked < MAX_SCANNED; looked += PAGE) {
    const records = await registry.list('refusal', { owner: user, after: last, limit: PAGE })
    for (const record of records) {
      last = record.id
      const { value } = record
      if ((source ?? value['source']) !== value['source'] || (status ?? value['status']) !== value['status']) continue
      refusals.push(refusalOf(record))
      if (refusals.length === limit) return { refusals, next: last }
    }
    if (records.length < PAGE) return { refusals }
  }
  return { refusals, ...(last !== undefined && { next: last }) }
}

/** Returns a refused mutation with the content that its device sent. */
export async function readRefusal({ store: { registry } }: RefusalEngine, id: string): Promise<RefusalContent> {
  const record = await registry.get('refusal', id)
  if (!record)
    throw new SyncError('mutation_not_found', `There is no refused mutation ${JSON.stringify(id)}: it may be too old.`)
  const { attributes = null, was = null, was_digests } = record.value
  return {
    ...refusalOf(record),
    attributes: attributes as Attributes | null,
    was: was as Attributes | null,
    ...(was_digests !== undefined && { was_digests: was_digests as unknown as Digests }),
  }
}

function refusalOf({ id, owner = '', value }: RegistryRecord): Refusal {
  return {
    id,
    refused_at: String(value['refused_at']),
    source: String(value['source']),
    partition: String(value['partition']),
    user: owner,
    client: String(value['client']),
    operation: value['operation'] as Refusal['operation'],
    object: String(value['object']),
    status: value['status'] as Refusal['status'],
    error: value['error'] as unknown as SourceError,
  }
}
