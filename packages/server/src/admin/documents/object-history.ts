import type { ChangeAuthor, ObjectHistory, ObjectHistoryQuery } from '@godwit/protocol'
import type { ChangeOrigin } from '@godwit/store'
import type { AdminEngine } from '../admin-engine.js'
import { type CollectionPath, resolveCollection } from './resolve-collection.js'

/** Returns when an object changed and who changed it, as far back as the change log of its collection reaches. */
export async function objectHistory(
  engine: Pick<AdminEngine, 'store' | 'sources'>,
  name: CollectionPath,
  { id, limit = 100 }: ObjectHistoryQuery,
): Promise<ObjectHistory> {
  const { collection } = await resolveCollection(engine, name)
  const { state, versions, earlier } = await engine.store.collections.history(collection, id, { limit })
  const listed = versions.map(({ version, operation, time, origin }) => ({
    version,
    operation,
    changed_at: time === undefined ? null : new Date(time).toISOString(),
    by: origin ? authorOf(origin) : null,
  }))
  return { id, state, versions: listed, earlier }
}

function authorOf(origin: ChangeOrigin): ChangeAuthor {
  switch (origin.kind) {
    case 'query':
      return { kind: 'query', login: null, client: null }
    case 'device':
      return { kind: 'device', login: origin.user, client: origin.client }
    default:
      return { kind: origin.kind, login: origin.login, client: null }
  }
}
