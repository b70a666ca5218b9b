import type { BlobName, CollectionId, UndecidedCursor } from '@godwit/store'
import { bulkOfScope, collectionOfScope } from '../../base/blob-scopes.js'
import { forgetBulk } from '../bulk/bulk-record.js'
import type { DeviceEngine } from '../device-engine.js'
import { keyOfHolder } from './hold-blobs.js'

const PAGE = 1000
const NAMES = /"([0-9a-f]{64})"/g

type ForgetBlobsEngine = Pick<DeviceEngine, 'store' | 'limits' | 'stopping'>

/**
 * Removes blobs that were not touched for `blobLife`, unless an object or an undecided mutation names them; those are touched again. Each collection
 * is read at most once per `blobLife`.
 */
export async function forgetBlobs(engine: ForgetBlobsEngine): Promise<void> {
  const since = (await engine.store.now()) - engine.limits.blobLife * 1000
  for (let after: BlobName | undefined; !engine.stopping.aborted; ) {
    const page = await engine.store.blobs.untouched({ since, after, limit: PAGE })
    for (const [scope, names] of groupByScope(page)) await forgetUnnamed(engine, scope, names, since)
    after = page.at(-1)
    if (page.length < PAGE) return
  }
}

function groupByScope(page: readonly BlobName[]): ReadonlyMap<string, Set<string>> {
  const scopes = new Map<string, Set<string>>()
  for (const { scope, name } of page) scopes.set(scope, (scopes.get(scope) ?? new Set()).add(name))
  return scopes
}

async function forgetUnnamed(
  engine: ForgetBlobsEngine,
  scope: string,
  names: ReadonlySet<string>,
  since: number,
): Promise<void> {
  const { blobs } = engine.store
  const collection = collectionOfScope(scope)
  const named = collection === undefined ? new Set<string>() : await findNamedBlobs(engine, collection, names)
  for (const name of names) {
    const hasHolds = collection !== undefined && (await endHolds(engine, collection, { scope, name }, since))
    if (named.has(name)) {
      await blobs.touch({ scope, name })
      await blobs.charge({ scope, name }, undefined)
    } else if (!hasHolds && (await blobs.remove({ scope, name }, { untouchedSince: since })))
      await forgetBulkOf(engine, scope, name)
  }
}

/**
 * Releases the holds of decided mutations, and old holds of requests that were never accepted. Returns true if there were any; the blob is then
 * touched, since a mutation decided meanwhile may have created an object that names it.
 */
async function endHolds(
  { store: { blobs, journal } }: ForgetBlobsEngine,
  collection: CollectionId,
  blob: BlobName,
  since: number,
): Promise<boolean> {
  const holders = await blobs.holders(blob)
  if (holders.length === 0) return false
  const keys = holders.flatMap(({ holder }) => keyOfHolder(holder) ?? [])
  const entries = await journal.entries(collection, [...new Set(keys)])
  const states = new Map(entries.map(({ mutation, state }) => [mutation.key, state]))
  for (const { holder, at } of holders) {
    const state = states.get(keyOfHolder(holder) ?? '')
    if (state === 'decided' || (state === undefined && at <= since)) await blobs.release(blob, holder)
  }
  return true
}

async function forgetBulkOf({ store }: ForgetBlobsEngine, scope: string, name: string): Promise<void> {
  const bulk = bulkOfScope(scope)
  if (bulk !== undefined) await forgetBulk(store, bulk, name)
}

async function findNamedBlobs(engine: ForgetBlobsEngine, collection: CollectionId, names: ReadonlySet<string>) {
  const named = new Set<string>()
  const collect = (text: string): void => {
    for (const [, name = ''] of text.matchAll(NAMES)) if (names.has(name)) named.add(name)
  }
  for await (const text of objectTexts(engine, collection)) collect(text)
  if (named.size < names.size) for await (const text of mutationTexts(engine, collection)) collect(text)
  return named
}

async function* objectTexts({ store }: ForgetBlobsEngine, collection: CollectionId): AsyncGenerator<string> {
  for (let after: string | undefined; ; ) {
    const { rows, more } = await store.collections.list(collection, { after, limit: PAGE })
    for (const { text } of rows) yield text ?? ''
    after = rows.at(-1)?.id
    if (!more) return
  }
}

async function* mutationTexts(
  { store }: ForgetBlobsEngine,
  { source, partition }: CollectionId,
): AsyncGenerator<string> {
  for (const state of ['queued', 'started', 'in_doubt'] as const) {
    for (let after: UndecidedCursor | undefined; ; ) {
      const page = await store.journal.undecided({ state, after, limit: PAGE })
      for (const { collection, mutation } of page)
        if (collection.source === source && collection.partition === partition)
          yield JSON.stringify(mutation.attributes ?? {})
      const last = page.at(-1)
      if (last === undefined) break
      after = { collection: last.collection, sequence: last.sequence }
    }
  }
}
