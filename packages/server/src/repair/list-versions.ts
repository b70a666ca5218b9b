import { DEFAULT_VERSIONS, emptyRecord, type ObjectId, type Versions } from '@godwit/protocol'
import type { Engine } from '../engine.js'
import { collectionOf } from '../sources/partition-of.js'

/** A page of the versions that a user's collection has. `after` is the last id of the former page. */
export interface VersionsRequest {
  readonly source: string
  /** The login. */
  readonly user: string
  readonly after: ObjectId | undefined
  readonly limit: number | undefined
}

/** Which objects there are, with their versions, page by page in order of id. A device whose sum differs compares them with its own. */
export async function listVersions(
  { sources, store, largePages }: Pick<Engine, 'sources' | 'store' | 'largePages'>,
  { source, user, after, limit = DEFAULT_VERSIONS }: VersionsRequest,
): Promise<Versions> {
  const collection = collectionOf(await sources.learn(source, user), user)
  const rows = await largePages.run(user, limit, () => store.collections.list(collection, { after, limit }))
  // Not before the rows: of rows that were dropped meanwhile the device must not think that they are of its epoch.
  const { epoch } = await store.collections.open(collection)
  const versions = emptyRecord<number>()
  for (const { id, version } of rows) versions[id] = version
  const last = rows.length < limit ? undefined : rows.at(-1)
  return { epoch, versions, ...(last && { next: last.id }) }
}
