import { type Attributes, emptyRecord } from '@godwit/protocol'
import type {
  ChangeRow,
  Changes,
  CollectionId,
  Collections,
  DevicePage,
  DevicePageOptions,
  Position,
  ReadPosition,
} from '../collections.js'
import {
  belongsToAnswer,
  COMMIT_LIFE,
  changesByObject,
  compareIds,
  objectHistory,
  parseAttributes,
  takeRows,
  tombstonesAfter,
  validPosition,
  ZERO,
} from '../history/index.js'
import { advance } from './advance.js'
import type { MemoryCollection } from './memory-collection.js'
import {
  compareCollections,
  find,
  inOrder,
  keyOf,
  type MemoryState,
  openOrMake,
  wellFormedCollection,
} from './memory-state.js'
import { replace } from './replace.js'

export function memoryCollections(world: MemoryState): Collections {
  return { ...writeMethods(world), ...readMethods(world), ...scheduleMethods(world), ...housekeepingMethods(world) }
}

type WriteMethods = Pick<Collections, 'open' | 'apply' | 'replace' | 'advance' | 'drop'>

const writeMethods = (world: MemoryState): WriteMethods => ({
  open: async collection => openOrMake(world, collection).head(),
  apply: async (collection, batch, { epoch, origin } = {}) => {
    const changes = changesByObject(batch)
    if (epoch === undefined) return openOrMake(world, collection).hear(changes, origin)
    const found = find(world, collection)
    return found?.epoch === epoch ? found.hear(changes, origin) : { refused: 'epoch' }
  },
  replace: (collection, parts, options) => replace(world, { collection, parts, options }),
  advance: async (collection, batch, options) => advance(world, { collection, batch, options }),
  drop: async collection => {
    world.collections.delete(keyOf(collection))
  },
})

type ReadMethods = Pick<
  Collections,
  | 'head'
  | 'cursor'
  | 'changes'
  | 'page'
  | 'get'
  | 'look'
  | 'history'
  | 'list'
  | 'versionAt'
  | 'collections'
  | 'withPendingRemovals'
>

const readMethods = (world: MemoryState): ReadMethods => ({
  head: async collection => find(world, collection)?.head(),
  cursor: async collection => find(world, collection)?.cursor ?? null,
  changes: async (collection, { from, limit }) => {
    const found = find(world, collection)
    return found && changes(found, from, limit)
  },
  page: async (collection, options) => {
    const found = find(world, collection)
    return found && page(found, options)
  },
  get: async (collection, ids) => {
    const objects = emptyRecord<Attributes>()
    for (const id of ids) {
      const row = find(world, collection)?.rows.get(id.toWellFormed())
      if (typeof row?.text === 'string') objects[row.id] = parseAttributes(row.text)
    }
    return objects
  },
  look: async (collection, id) => find(world, collection)?.present(id.toWellFormed()) ?? { state: 'never' },
  history: async (collection, id, { limit }) => {
    const known = id.toWellFormed()
    const found = find(world, collection)
    const changeAt = (version: number) => found?.log.get(version, known)
    return objectHistory(found?.present(known) ?? { state: 'never' }, changeAt, { limit, now: world.clock() })
  },
  list: async (collection, { after, limit }) =>
    takeRows(find(world, collection)?.rows.list(after?.toWellFormed()) ?? [], limit),
  versionAt: async (collection, time) => find(world, collection)?.versionAt(time) ?? 0,
  collections: async page => selected(inOrder(world), page),
  withPendingRemovals: async page =>
    selected(
      inOrder(world).filter(({ pendingRemovals }) => pendingRemovals !== undefined),
      page,
    ),
})

const selected = (
  collections: readonly MemoryCollection[],
  { source, partition, after, limit }: Parameters<Collections['collections']>[0],
): readonly CollectionId[] =>
  collections
    .map(({ id }) => id)
    .filter(id => source === undefined || id.source === source.toWellFormed())
    .filter(id => partition === undefined || id.partition === partition.toWellFormed())
    .filter(id => after === undefined || compareCollections(id, wellFormedCollection(after)) > 0)
    .slice(0, limit)

function changes(collection: MemoryCollection, from: ReadPosition | undefined, limit: number): Changes {
  const head = collection.head()
  const stands = validPosition(from, head, from && collection.markOf(from.head))
  const after = stands?.after ?? ZERO
  const tombstones = tombstonesAfter(stands, head)
  return { head, fromZero: stands === undefined, ...takeRows(wantedRows(collection, after, tombstones), limit) }
}

function* wantedRows({ rows }: MemoryCollection, after: Position, tombstones: number): Generator<ChangeRow> {
  for (const row of rows.after(after)) if (belongsToAnswer(row, after, tombstones)) yield row
}

function page(
  collection: MemoryCollection,
  { from, limit, client, outcomes: outcomeOptions }: DevicePageOptions,
): DevicePage {
  const outcomePage = collection.journal.outcomes(client, outcomeOptions.after, outcomeOptions.limit)
  return { ...changes(collection, from, limit), outcomePage }
}

type ScheduleMethods = Pick<Collections, 'requestQuery' | 'acceptRemovals' | 'recordFailure'>

const scheduleMethods = (world: MemoryState): ScheduleMethods => ({
  requestQuery: async (collection, at) => {
    const found = find(world, collection)
    if (!found) return
    if (at === undefined) found.requestQuery()
    else found.setDue(at)
  },
  acceptRemovals: async collection => {
    const found = find(world, collection)
    if (!found?.pendingRemovals) return undefined
    found.acceptedRemovals = found.pendingRemovals.sketch
    found.requestQuery()
    return found.pendingRemovals
  },
  recordFailure: async (collection, failure) => {
    const found = find(world, collection)
    if (!found) return
    found.sourceError = { ...failure.error }
    found.queryAgainAt(failure)
  },
})

type HousekeepingMethods = Pick<Collections, 'recordReader' | 'readers' | 'dropReader' | 'compact' | 'forgetHistory'>

const housekeepingMethods = (world: MemoryState): HousekeepingMethods => ({
  recordReader: async (collection, reader, base) => {
    find(world, collection)?.readers.set(reader.toWellFormed(), {
      reader: reader.toWellFormed(),
      base,
      at: world.clock(),
    })
  },
  readers: async collection =>
    [...(find(world, collection)?.readers.values() ?? [])].sort((left, right) => compareIds(left.reader, right.reader)),
  dropReader: async (collection, reader) => {
    find(world, collection)?.readers.delete(reader.toWellFormed())
  },
  compact: async (collection, { below, limit }) => {
    const found = find(world, collection)
    if (!found || world.leases.isLeased({ kind: 'query', collection })) return { removed: 0, more: false }
    return compact(found, { below: Math.min(below, found.version), limit })
  },
  forgetHistory: async collection => find(world, collection)?.log.forget(world.clock() - COMMIT_LIFE),
})

interface CompactOptions {
  readonly below: number
  readonly limit: number
}

function compact(collection: MemoryCollection, { below, limit }: CompactOptions): { removed: number; more: boolean } {
  const old: ChangeRow[] = []
  for (const row of collection.rows.after(ZERO)) {
    if (row.version > below || old.length > limit) break
    if (row.text === null) old.push(row)
  }
  const more = old.length > limit
  const gone = old.slice(0, limit)
  for (const row of gone) collection.rows.forget(row)
  collection.raiseFloor(more ? (gone.at(-1)?.version ?? collection.floor) : below)
  return { removed: gone.length, more }
}
