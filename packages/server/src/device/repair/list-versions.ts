import { DEFAULT_VERSIONS, emptyRecord, type ObjectId, type PartitionParameters, type Versions } from '@godwit/protocol'
import { openCollection } from '../../accounts/users/open-collection.js'
import { resolvePartition } from '../../backend/partitions/resolve-partition.js'
import type { DeviceEngine } from '../device-engine.js'

/** A request for a page of versions in a user's collection. `after` is the last id of the previous page. */
export interface VersionsRequest {
  readonly source: string
  /** The login. */
  readonly user: string
  readonly parameters?: PartitionParameters | undefined
  readonly after?: ObjectId
  readonly limit?: number
}

/** Returns the ids and versions of a collection in order of id, page by page. A device with a different checksum compares them with its own. */
export async function listVersions(
  engine: DeviceEngine,
  { source, user, parameters, after, limit = DEFAULT_VERSIONS }: VersionsRequest,
): Promise<Versions> {
  const { sources, store, largePages } = engine
  const collection = await resolvePartition(engine, await sources.learn(source, user), { user, parameters })
  const { rows, more } = await largePages.run(user, limit, () => store.collections.list(collection, { after, limit }))
  // Read after the rows, so that the device does not take rows of a dropped collection for ones of the new epoch.
  const { epoch } = await openCollection(store, user, collection)
  const versions = emptyRecord<number>()
  for (const { id, version } of rows) versions[id] = version
  const last = more ? rows.at(-1) : undefined
  return { epoch, versions, ...(last && { next: last.id }) }
}
