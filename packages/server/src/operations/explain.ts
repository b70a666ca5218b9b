import type { Explain, Explanation, Finding } from '@godwit/protocol'
import type { CollectionId, Present } from '@godwit/store'
import type { Engine } from '../engine.js'
import { collectionOf } from '../sources/partition-of.js'
import type { Source } from '../sources/source.js'
import { isBarred } from '../users/user-record.js'
import { mutationFindings } from './explain-mutations.js'
import { queryFindings } from './explain-query.js'

type ExplainEngine = Pick<Engine, 'store' | 'sources' | 'clock'>

/** Why an object is, or isn't, on a device: user → source → query → object → its undecided changes → client. It reads alone and calls no source. */
export async function explain(
  engine: ExplainEngine,
  { source: name, user, object, client }: Explain,
): Promise<Explanation> {
  const source = engine.sources.find(name)
  const findings = [...(await userFindings(engine, user)), ...sourceFindings(source, name)]
  if (source === undefined || findings.some(({ code }) => code === 'user_unknown')) return { on_device: 'no', findings }
  const collection = collectionOf(source, user)
  const present = await engine.store.collections.look(collection, object)
  const seen = client === undefined ? undefined : await clientFinding(engine, { client, user, collection, present })
  findings.push(
    { code: 'partition', message: `${user} reads the partition ${collection.partition} of ${name}.` },
    ...(await queryFindings(engine, source, collection)),
    objectFinding(present),
    ...(await mutationFindings(engine, collection, object)),
    ...(seen ? [seen] : []),
  )
  return { on_device: verdict(present, seen), findings }
}

async function userFindings({ store }: ExplainEngine, user: string): Promise<readonly Finding[]> {
  if (user === '*') return []
  const record = await store.registry.get('user', user)
  if (!record) return [{ code: 'user_unknown', message: `There is no user ${JSON.stringify(user)}.` }]
  if (!isBarred(record)) return []
  return [{ code: 'user_barred', message: `The user ${user} is being deleted and cannot log in.` }]
}

function sourceFindings(source: Source | undefined, name: string): readonly Finding[] {
  if (!source) return [{ code: 'source_unknown', message: `There is no source ${JSON.stringify(name)}.` }]
  if (source.syncType !== 'bulk_only') return []
  return [{ code: 'bulk_only', message: `${name} is bulk_only: devices get it as a file, and no pull brings it.` }]
}

function objectFinding(present: Present): Finding {
  if (present.state === 'live') {
    return { code: 'object_present', message: `The server has it, at version ${present.version}.` }
  }
  if (present.state === 'gone') {
    return { code: 'object_removed', message: `It was removed, with version ${present.version}.` }
  }
  const why = 'no query answered it and nobody pushed it, or its removal is long ago'
  return { code: 'object_unknown', message: `The server does not know it: ${why}.` }
}

interface Looking {
  readonly client: string
  readonly user: string
  readonly collection: CollectionId
  readonly present: Present
}

/** A position is noted from time to time, so that a device may know more than it says here, never less. */
async function clientFinding(
  { store }: ExplainEngine,
  { client, user, collection, present }: Looking,
): Promise<Finding> {
  const record = await store.registry.get('client', client)
  if (!record) return { code: 'client_unknown', message: `There is no client ${JSON.stringify(client)}.` }
  if (user !== '*' && record.owner !== user) {
    return { code: 'client_of_another_user', message: `The client ${client} belongs to ${record.owner}.` }
  }
  const reader = (await store.collections.readers(collection)).find(({ reader }) => reader === client)
  if (!reader) {
    return { code: 'client_never_asked', message: 'The client never pulled this source; its first pull brings all.' }
  }
  const since = `at its last note, ${new Date(reader.at).toISOString()}, the client stood at version ${reader.base}`
  if (present.state === 'never' || reader.base >= present.version) {
    return { code: 'client_has_it', message: `The client knows how it stands: ${since}.` }
  }
  return { code: 'client_behind', message: `The client has not asked since version ${present.version}: ${since}.` }
}

function verdict(present: Present, seen: Finding | undefined): Explanation['on_device'] {
  if (seen?.code === 'client_unknown' || seen?.code === 'client_of_another_user') return 'no'
  if (present.state === 'live') return seen?.code === 'client_has_it' ? 'yes' : 'next_pull'
  return present.state === 'gone' && seen?.code === 'client_behind' ? 'until_next_pull' : 'no'
}
