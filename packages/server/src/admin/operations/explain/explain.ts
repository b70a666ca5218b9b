import { type Explain, type Explanation, type Finding, SyncError } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { CollectionId } from '@godwit/store'
import { isBarred, isLocked } from '../../../accounts/users/user-record.js'
import { collectionOf } from '../../../backend/sources/partition-of.js'
import type { AdminEngine } from '../../admin-engine.js'
import { namedDevices } from './device-facts.js'
import { explanationOf, subjectFindings } from './explanation-of.js'
import type { ExplainFacts } from './facts.js'
import { findByText } from './find-by-text.js'
import { queryFindings } from './query-findings.js'
import { undecidedChanges } from './undecided-changes.js'

type ExplainEngine = Pick<AdminEngine, 'store' | 'sources' | 'clock'>

/**
 * Explains why an object, named by its id or by a text in an attribute, is or is not on a device: user → source → query → object → its undecided
 * changes → client. It only reads and calls no source.
 */
export async function explain(engine: ExplainEngine, question: Explain): Promise<Explanation> {
  const { source: name, user, client } = question
  if ((question.object === undefined) === (question.contains === undefined)) throw oneNeeded()
  const source = engine.sources.find(name)
  const userState = await userStateOf(engine, user, source)
  const known = { ...NOTHING, user, userState, source: name, sourceState: sourceStateOf(source) }
  if (source === undefined || userState === 'unknown' || userState === 'missing')
    return { object: question.object ?? null, ...explanationOf(known) }
  const collection = collectionOf(source, user)
  const found = await findObject(engine, question, collection)
  const { object } = found
  if (object === null) return { object, on_device: 'no', findings: [...subjectFindings(known), ...found.findings] }
  const { store } = engine
  const present = await store.collections.look(collection, object)
  const facts = {
    ...known,
    partition: collection.partition,
    queries: queryFindings(source, await store.collections.head(collection)),
    present,
    changes: await undecidedChanges(store, collection, object),
    devices: await namedDevices(store, client, { user, collection, object, present }),
  }
  const { on_device, findings } = explanationOf(facts)
  return { object, on_device, findings: [...found.findings, ...findings] }
}

/** The facts of an object that was not looked up. */
const NOTHING: Omit<ExplainFacts, 'user' | 'userState' | 'source' | 'sourceState'> = {
  partition: '',
  queries: [],
  present: { state: 'never' },
  changes: [],
  devices: { kind: 'none_named' },
}

async function userStateOf(
  { store }: ExplainEngine,
  user: string,
  source: Source | undefined,
): Promise<ExplainFacts['userState']> {
  if (user === '*') return source?.partition === 'user' ? 'missing' : 'known'
  const record = await store.registry.get('user', user)
  if (!record) return 'unknown'
  if (isLocked(record)) return 'locked'
  return isBarred(record) ? 'barred' : 'known'
}

function sourceStateOf(source: Source | undefined): ExplainFacts['sourceState'] {
  if (source === undefined) return 'unknown'
  return source.syncType === 'bulk_only' ? 'bulk_only' : 'pulled'
}

interface FoundObject {
  readonly object: string | null
  readonly findings: readonly Finding[]
}

async function findObject(
  engine: ExplainEngine,
  { source, user, object, contains = '' }: Explain,
  collection: CollectionId,
): Promise<FoundObject> {
  if (object !== undefined) return { object, findings: [] }
  const { ids, looked, isOver } = await findByText(engine, { source, user }, contains)
  const [first, ...others] = ids
  const text = JSON.stringify(contains)
  if (first === undefined) {
    const where = `${isOver ? 'the' : 'the first'} ${looked} objects of partition ${collection.partition}`
    return {
      object: null,
      findings: [{ code: 'text_not_found', message: `None of ${where} contains ${text} in an attribute.` }],
    }
  }
  const also = others.length === 0 ? '' : `, and in ${others.join(', ')}${isOver ? '' : ' and possibly more'}`
  return { object: first, findings: [{ code: 'text_found', message: `${text} was found in object ${first}${also}.` }] }
}

const oneNeeded = (): SyncError => {
  const message = 'expected one of object and contains, got both or neither.'
  return new SyncError('body_invalid', message, { details: { errors: [{ path: '/object', message }] } })
}
