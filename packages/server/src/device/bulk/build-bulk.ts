import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PartitionParameters } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { CollectionId } from '@godwit/store'
import { queryIfDue } from '../../backend/query/request-query.js'
import type { DeviceEngine } from '../device-engine.js'
import { makeBuildFolder } from './build-folder.js'
import { type BulkContents, bulkContentsOf } from './bulk-contents.js'
import { type BulkPart, bulkName, getBulk, type PendingPart, setBulk } from './bulk-record.js'
import { readInto } from './read-into.js'
import { openBulkFile } from './sqlite-file.js'
import { storeBulkFile } from './store-bulk-file.js'

/** The file to build, and the user that its sources are queried for. */
export interface BuildRequest {
  /** The login. */
  readonly user: string
  readonly sources: readonly string[]
  /** The partition, for sources with `by`. */
  readonly parameters?: PartitionParameters | undefined
  /** Aborts the build. */
  readonly signal: AbortSignal
}

/** RECIPE of a file: query what is due → write → compress and store → record. Runs as a job, one at a time per key, and may be repeated. */
export async function buildBulk(
  engine: DeviceEngine,
  { user, sources, parameters, signal }: BuildRequest,
): Promise<void> {
  const wanted = await bulkContentsOf(engine, user, { sources, ...(parameters && { parameters }) })
  const folder = await makeBuildFolder()
  try {
    await build(engine, wanted, { user, path: join(folder, 'bulk.sqlite'), signal })
  } catch (error) {
    await letGo(engine, wanted)
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface FileTarget extends Omit<BuildRequest, 'sources'> {
  readonly path: string
}

async function build(engine: DeviceEngine, wanted: BulkContents, { user, path, signal }: FileTarget): Promise<void> {
  const { key, parts: of } = wanted
  const at = await engine.store.now()
  const file = openBulkFile(path)
  const parts: BulkPart[] = []
  const pending: PendingPart[] = []
  try {
    for (const { source, collection } of of) {
      await runDueQuery(engine, { source, collection, user })
      const part = await readInto(engine, file, { reader: bulkName(key), source, collection, signal })
      if (part === undefined) pending.push(collection)
      else parts.push(part)
    }
  } finally {
    file.close()
  }
  const isEmpty = parts.every(({ count }) => count === 0)
  const kept = isEmpty ? { hash: '', size: 0 } : await storeBulkFile(engine, { key, path, signal })
  await setBulk(engine.store, key, { at, build: engine.randomId(), parts, pending, ...kept })
  if (isEmpty) await dropReaders(engine, wanted)
}

interface QueriedCollection {
  readonly source: Source
  readonly collection: CollectionId
  readonly user: string
}

async function runDueQuery(engine: DeviceEngine, { source, collection, user }: QueriedCollection): Promise<void> {
  const head = await engine.store.collections.open(collection)
  await queryIfDue(engine, { source, collection, user, parameters: {} }, head)
}

/** Drops the readers of a failed build, so that they hold no floor, unless an earlier file exists. */
async function letGo(engine: DeviceEngine, wanted: BulkContents): Promise<void> {
  if ((await getBulk(engine.store, wanted.key)) === undefined) await dropReaders(engine, wanted)
}

async function dropReaders(
  { store }: DeviceEngine,
  { key, parts }: { key: string; parts: readonly { collection: CollectionId }[] },
) {
  for (const { collection } of parts) await store.collections.dropReader(collection, bulkName(key))
}
