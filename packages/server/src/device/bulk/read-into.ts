import { SyncError } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { Changes, CollectionId, ReadPosition } from '@godwit/store'
import { isUnqueried } from '../../backend/sources/first-query.js'
import type { DeviceEngine } from '../device-engine.js'
import type { BulkPart } from './bulk-record.js'
import type { BulkFile } from './sqlite-file.js'

const PAGE = 2000

type ReadEngine = Pick<DeviceEngine, 'store'>

/** The collection to read, and the name of the reader that holds its floor meanwhile. */
interface CollectionRead {
  readonly source: Source
  readonly collection: CollectionId
  readonly reader: string
  readonly signal: AbortSignal
}

/**
 * Writes a whole collection into a file, like a pass from zero: in order of versions, until a read finds fewer rows than its limit. Undefined if the
 * first query is still to come, also because the collection was dropped meanwhile, so that its objects are not those of the backend.
 */
export async function readInto(
  engine: ReadEngine,
  file: BulkFile,
  reading: CollectionRead,
): Promise<BulkPart | undefined> {
  const { source, collection, reader, signal } = reading
  const { collections } = engine.store
  const { version } = await collections.open(collection)
  await collections.recordReader(collection, reader, version)
  let changes = await read(engine, collection)
  if (isUnqueried(source, changes.head)) {
    await collections.dropReader(collection, reader)
    return undefined
  }
  const rows = file.begin(collection.source)
  let from: ReadPosition | undefined
  for (;;) {
    if (changes.fromZero) rows.clear()
    rows.add(changes.rows, changes.fromZero ? changes.head.version : (from?.start ?? 0))
    if (!changes.more) return finish(engine, rows, { reader, collection, changes })
    if (signal.aborted) throw new SyncError('store_unavailable', 'The server is stopping. Request it again.')
    from = nextPosition(from, changes)
    changes = await read(engine, collection, from)
    if (isUnqueried(source, changes.head)) throw droppedError()
  }
}

async function read({ store }: ReadEngine, collection: CollectionId, from?: ReadPosition) {
  const changes = await store.collections.changes(collection, { from, limit: PAGE })
  if (changes !== undefined) return changes
  throw droppedError()
}

const droppedError = (): SyncError =>
  new SyncError('store_unavailable', 'The collection was dropped while it was read. Request it again.')

function nextPosition(from: ReadPosition | undefined, { head, fromZero, rows }: Changes): ReadPosition {
  const start = fromZero ? head.version : (from?.start ?? 0)
  const after = rows.at(-1) ?? { version: 0, id: '' }
  return { epoch: head.epoch, head: head.version, mark: head.mark, base: 0, start, after }
}

async function finish(
  { store }: ReadEngine,
  rows: ReturnType<BulkFile['begin']>,
  { reader, collection, changes: { head } }: { reader: string; collection: CollectionId; changes: Changes },
): Promise<BulkPart> {
  const { epoch, version, mark, count, checksum } = head
  rows.end({ epoch, head: version, count, checksum })
  if (rows.checksum !== checksum)
    throw new SyncError('store_unavailable', 'The rows do not match the checksum of the collection. Request it again.')
  await store.collections.recordReader(collection, reader, version)
  return { ...collection, epoch, head: version, mark, count }
}
