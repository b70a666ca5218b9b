import { DEFAULT_VERSIONS, emptyRecord, type ObjectId, type Versions } from '@godwit/protocol'
import { openCollection } from '../../accounts/users/open-collection.js'
import { collectionOf } from '../../backend/sources/partition-of.js'
import type { DeviceEngine } from '../device-engine.js'

/** A request for a page of versions in a user's collection. `after` is the last id of the previous page. */
export interface VersionsRequest {
  readonly source: string
  /** The login. */
  readonly user: string
  readonly after?: ObjectId
  readonly limit?: number
}

/** Returns the ids and versions of a collection in order of id, page by page. A device with a different checksum compares them with its own. */
export async function listVersions(
  { sources, store, largePages }: Pick<DeviceEngine, 'sources' | 'store' | 'largePages'>,
  { source, user, after, limit = DEFAULT_VERSIONS }: VersionsRequest,
): Promise<Versions> {
  const collection = collectionOf(await sources.learn(source, user), user)
  const { rows, more } = await largePages.run(user, limit, () => store.collections.list(collection, { after, limit }))
  // Read after the rows, so that the device does not take rows of a dropped collection for ones of the new epoch.
  const { epoch } = await openCollection(store, user, collection)
  const versions = emptyRecord<number>()
  for (const { id, version } of rows) versions[id] = version
  const last = more ? rows.at(-1) : undefined
  return { epoch, versions, ...(last && { next: last.id }) }
}
