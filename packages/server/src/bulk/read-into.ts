import { SyncError } from '@godwit/protocol'
import type { Changes, CollectionId, ReadFrom } from '@godwit/store'
import type { Engine } from '../engine.js'
import type { BulkPart } from './bulk-record.js'
import type { BulkFile } from './sqlite-file.js'

const PAGE = 2000

type ReadEngine = Pick<Engine, 'store'>

/**
 * A whole collection into a file, as a device would pull it from zero: in order of versions, until a read finds less than it may. The file then is the
 * collection at the head of that read; the start holds the floor meanwhile.
 */
export async function readInto(
  engine: ReadEngine,
  file: BulkFile,
  {
    reader,
    collection,
    signal,
  }: { readonly reader: string; readonly collection: CollectionId; readonly signal: AbortSignal },
): Promise<BulkPart> {
  const { collections } = engine.store
  const { version } = await collections.open(collection)
  await collections.noteReader(collection, reader, version)
  const source = file.begin(collection.source)
  let from: ReadFrom | undefined
  for (;;) {
    if (signal.aborted) throw new SyncError('store_unavailable', 'The server stops; ask again.')
    const changes = await read(engine, collection, from)
    if (changes.fromZero) source.clear()
    source.add(changes.rows, changes.fromZero ? changes.head.version : (from?.start ?? 0))
    if (!changes.more) return finish(engine, source, { reader, collection, changes })
    from = nextPosition(from, changes)
  }
}

async function read({ store }: ReadEngine, collection: CollectionId, from: ReadFrom | undefined) {
  const changes = await store.collections.changes(collection, { from, limit: PAGE })
  if (changes !== undefined) return changes
  throw new SyncError('store_unavailable', 'The collection was dropped while it was read. Ask again.')
}

function nextPosition(from: ReadFrom | undefined, { head, fromZero, rows }: Changes): ReadFrom {
  const start = fromZero ? head.version : (from?.start ?? 0)
  const after = rows.at(-1) ?? { version: 0, id: '' }
  return { epoch: head.epoch, head: head.version, mark: head.mark, base: 0, start, after }
}

async function finish(
  { store }: ReadEngine,
  source: ReturnType<BulkFile['begin']>,
  { reader, collection, changes: { head } }: { reader: string; collection: CollectionId; changes: Changes },
): Promise<BulkPart> {
  const { epoch, version, mark, count, checksum } = head
  source.end({ epoch, head: version, count, checksum })
  if (source.checksum !== checksum)
    throw new SyncError('store_unavailable', 'The rows do not add up to the sum of the collection. Ask again.')
  await store.collections.noteReader(collection, reader, version)
  return { ...collection, epoch, head: version, mark, count }
}
