import type { Attributes, Mutation, Outcome, PartitionParameters } from '@godwit/protocol'
import { mergeAttributes, same } from '../../definition/attribute-values.js'
import type { FakeCollection } from './collection.js'
import type { FakeEntry, FakeJournal } from './fake-journal.js'

/** The source's decision about a mutation. The default status is `applied`. */
export interface Decision {
  readonly status?: Exclude<Outcome['status'], 'queued'>
  readonly link?: string
  /** The object's attributes after the mutation. Default: those that the device requested. */
  readonly attributes?: Attributes
  /** The partition in which the object is now; the test writes it there. */
  readonly moved?: PartitionParameters
  /** What the mutation replaced of others. */
  readonly overwrote?: Attributes
  /** True for an object that exists in the backend but not in the collection: the mutation is applied, but nothing is stored. */
  readonly outside?: boolean
  /** True to leave the mutation undecided until `decideQueued`. */
  readonly queue?: boolean
}

export interface DecideContext {
  readonly collection: FakeCollection
  readonly decide: (mutation: Mutation) => Decision
  /** Temporary ids that are linked to a real id; decisions add to them. */
  readonly linked: Set<string>
  /** True to decide queued mutations too. */
  readonly isLater?: boolean
}

/** Decides one mutation, unless it has to wait, and adds its outcome to the journal. */
export function decide(deciding: DecideContext, journal: FakeJournal, entry: FakeEntry): void {
  const { collection, linked, isLater } = deciding
  if (decidedElsewhere(collection, journal, entry)) return
  const mutation = withLinks(journal, entry.mutation)
  const decision = ownerRefused(journal, mutation) ? DEPENDENT : deciding.decide(mutation)
  if ((decision.queue && !isLater) || waits(journal, entry)) return
  const { status = 'applied', link, overwrote } = decision
  if (status === 'applied' && link !== undefined && link !== mutation.object) linked.add(mutation.object)
  journal.outcomes.push({
    outcome: journal.outcomes.length + 1,
    number: mutation.number,
    ...(link !== undefined && link !== entry.mutation.object && { link }),
    ...apply(collection, mutation, decision),
    ...(overwrote && { overwrote }),
  })
  entry.decided = status !== 'in_doubt'
}

const DEPENDENT: Decision = { status: 'depends_on_refused' }

/** Repeats the outcome of a key that another client id of the device has already sent. Returns false if there is none. */
function decidedElsewhere(collection: FakeCollection, journal: FakeJournal, entry: FakeEntry): boolean {
  const { key, number, object } = entry.mutation
  for (const other of collection.journals.values()) {
    if (other === journal) continue
    const known = [...other.mutations.values()].find(one => one.decided && one.mutation.key === key)
    const outcome = known && other.outcomes.findLast(one => one.number === known.mutation.number)
    if (!outcome) continue
    const { attributes: _, ...rest } = outcome
    const id = outcome.link ?? object
    const now = collection.attributesOf(id)
    const version = collection.versionOf(id)
    const again = { ...rest, outcome: journal.outcomes.length + 1, number, version }
    journal.outcomes.push({ ...again, ...(now && { attributes: now }) })
    entry.decided = true
    return true
  }
  return false
}

/** Returns true if an earlier mutation of the same object or of an owner is undecided. */
const waits = ({ mutations }: FakeJournal, entry: FakeEntry): boolean => {
  const { number, object, owners } = entry.mutation
  return [...mutations.values()].some(
    ({ decided, mutation: other }) =>
      !decided && other.number < number && (other.object === object || owners?.includes(other.object)),
  )
}

type AppliedOutcome = Pick<Outcome, 'status' | 'version' | 'attributes' | 'error' | 'removed' | 'moved'>

function apply(collection: FakeCollection, mutation: Mutation, decision: Decision): AppliedOutcome {
  const { status = 'applied', link, outside, moved } = decision
  const id = link ?? mutation.object
  const present = collection.attributesOf(id)
  const before = collection.rows.get(id)?.version
  if (moved) {
    const attributes = result(mutation, present, decision) ?? {}
    collection.write({ [id]: null })
    return { status, version: collection.versionOf(id), removed: true, moved, attributes }
  }
  const isGone = mutation.operation === 'update' && !present && status === 'applied' && !outside
  if (status === 'applied' && !isGone && !outside) collection.write({ [id]: result(mutation, present, decision) })
  const now = collection.attributesOf(id)
  const isKnown =
    mutation.operation === 'update' &&
    mutation.seen === before &&
    present &&
    same(mergeAttributes(present, mutation.attributes ?? {}), now ?? {})
  const reported = isGone ? 'gone' : status
  return {
    status: reported,
    version: collection.versionOf(id),
    ...(now && !isKnown && { attributes: now }),
    ...(reported !== 'applied' && { error: { code: reported, message: `The source says ${reported}.` } }),
  }
}

function result(mutation: Mutation, present: Attributes | null, { attributes }: Decision): Attributes | null {
  if (mutation.operation === 'delete') return null
  if (attributes) return attributes
  return mergeAttributes(mutation.operation === 'create' ? {} : (present ?? {}), mutation.attributes ?? {})
}

/** Returns the mutation with the real ids of owners that are already decided. */
function withLinks(journal: FakeJournal, mutation: Mutation): Mutation {
  const { owners = [], attributes } = mutation
  if (!attributes) return mutation
  const links = linksOf(journal)
  const linked = Object.entries(attributes).map(([name, value]) => [
    name,
    typeof value === 'string' && owners.includes(value) ? (links.get(value) ?? value) : value,
  ])
  return { ...mutation, attributes: Object.fromEntries(linked) }
}

function linksOf({ outcomes, mutations }: FakeJournal): ReadonlyMap<string, string> {
  const links = new Map<string, string>()
  for (const { number, link } of outcomes) {
    const object = mutations.get(number)?.mutation.object
    if (link !== undefined && object !== undefined) links.set(object, link)
  }
  return links
}

/** Returns true if an owner's create was refused, in which case mutations that depend on it are not tried. */
function ownerRefused({ outcomes, mutations }: FakeJournal, { owners }: Mutation): boolean {
  if (!owners) return false
  return outcomes.some(({ number, status }) => {
    const refused = status !== 'applied' && status !== 'in_doubt' ? mutations.get(number)?.mutation : undefined
    return refused?.operation === 'create' && owners.includes(refused.object)
  })
}
