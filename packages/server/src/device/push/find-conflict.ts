import { type Attributes, HALF_PAIR, isWellFormed, type Mutation } from '@godwit/protocol'
import { failure, type Source } from '@godwit/source'
import type { StoredObjectState } from '@godwit/store'
import { isRecord } from '../../backend/sources/is-record.js'
import { notJson } from '../../backend/sources/not-json.js'
import { attributeOf, isAsSeen, isSameValue, seenObject } from './seen-values.js'

/** The call to make to the source. */
export type SourceTask =
  | { readonly operation: 'create'; readonly attributes: Attributes }
  /**
   * `full`: all attributes as they are with the changes, for a device that sends all of them; `changes`: what to write when the source accepts.
   * `stored` false: the collection never had the object, so nothing is written.
   */
  | { readonly operation: 'update'; readonly full?: Attributes; readonly changes: Attributes; readonly stored: boolean }
  | { readonly operation: 'delete' }

/** A task with what it replaces although the device had not seen it. */
export type TaskAfterConflict = SourceTask & { readonly overwrote?: Attributes }

/** The decision on a mutation before its source is called: a task, or an outcome without a call. */
export type ConflictDecision = TaskAfterConflict | { readonly outcome: 'conflict' | 'gone' | 'applied' }

type Policy = Pick<Source, 'conflict'> & { readonly methods: Pick<Source['methods'], 'resolve'> }

/**
 * Judges a mutation on the object as it stood at its start.
 *
 * | | live, unchanged | live, changed | gone | never here |
 * |---|---|---|---|---|
 * | create | create | create | create | create |
 * | update | update | the policy | gone (`resolve` decides) | update, not stored |
 * | delete | delete | the policy | applied without a call | delete |
 *
 * Never here, but seen by the device, is gone: its tombstone was compacted.
 */
export function decideConflict(policy: Policy, mutation: Mutation, before: StoredObjectState): ConflictDecision {
  if (mutation.operation === 'create') return { operation: 'create', attributes: mutation.attributes ?? {} }
  if (before.state === 'live') return decideOnLive(policy, mutation, before.attributes)
  const never = before.state === 'never' && !mutation.seen
  if (mutation.operation === 'delete') return never ? { operation: 'delete' } : { outcome: 'applied' }
  if (never) return { operation: 'update', changes: mutation.attributes ?? {}, stored: false }
  if (policy.methods.resolve === undefined) return { outcome: 'gone' }
  const resolved = checkResolved(
    policy.methods.resolve({ ...seenObject(mutation), theirs: undefined, mine: mutation.attributes }),
  )
  return resolved === undefined ? { outcome: 'gone' } : { operation: 'update', changes: resolved, stored: true }
}

function decideOnLive(policy: Policy, mutation: Mutation, present: Attributes): ConflictDecision {
  const conflicts = conflictsOf(mutation, present)
  if (conflicts.length === 0) return decisionWithout(mutation, present, [])
  if (policy.methods.resolve !== undefined)
    return resolveConflict(policy.methods.resolve, mutation, { theirs: present, conflicts })
  if (policy.conflict === 'client-wins')
    return { ...decisionWithout(mutation, present, []), overwrote: pick(present, conflicts) }
  if (policy.conflict === 'reject' || mutation.operation === 'delete') return { outcome: 'conflict' }
  return decisionWithout(mutation, present, conflicts)
}

/** The attributes whose present value is neither what the device saw nor what it wants. */
export function conflictsOf(mutation: Mutation, present: Attributes): readonly string[] {
  const { operation, attributes = {}, was = {}, was_digests = {}, changed, seen } = mutation
  if (operation === 'delete') {
    const known = Object.keys({ ...was, ...was_digests })
    if (seen === undefined && known.length === 0) return []
    return [...new Set([...known, ...Object.keys(present)])].filter(name => !isAsSeen(mutation, present, name))
  }
  const names = changed ?? Object.keys(attributes)
  return names.filter(name => !isSameValue(present, attributes, name) && !isAsSeen(mutation, present, name))
}

/** Returns the mutation without the attributes that the server wins. */
function decisionWithout(mutation: Mutation, present: Attributes, kept: readonly string[]): ConflictDecision {
  if (mutation.operation === 'delete') return { operation: 'delete' }
  const attributes = mutation.attributes ?? {}
  const names = (mutation.changed ?? Object.keys(attributes)).filter(name => !kept.includes(name))
  if (names.length === 0 && kept.length > 0) return { outcome: 'conflict' }
  const changes = pick(attributes, names)
  if (mutation.changed === undefined) return { operation: 'update', changes, stored: true }
  return { operation: 'update', changes, full: { ...present, ...changes }, stored: true }
}

function resolveConflict(
  resolve: NonNullable<Source['methods']['resolve']>,
  mutation: Mutation,
  { theirs, conflicts }: { readonly theirs: Attributes; readonly conflicts: readonly string[] },
): ConflictDecision {
  const mine = mutation.operation === 'delete' ? undefined : { ...theirs, ...changesOf(mutation) }
  const result = checkResolved(resolve({ ...seenObject(mutation, theirs), theirs, mine }))
  if (result === undefined)
    return { operation: 'delete', ...(mine === undefined && { overwrote: pick(theirs, conflicts) }) }
  const changes = differences(theirs, result)
  if (Object.keys(changes).length === 0) return { outcome: 'conflict' }
  // Other values than the device's are the work of `resolve`, which had both.
  const replaced = mine === undefined ? [] : conflicts.filter(name => isSameValue(result, mine, name))
  const overwrote = replaced.length > 0 && { overwrote: pick(theirs, replaced) }
  return { operation: 'update', changes, stored: true, ...overwrote }
}

/** Returns only what the device changed, even if it sends all attributes. */
const changesOf = ({ attributes = {}, changed = Object.keys(attributes) }: Mutation): Attributes =>
  pick(attributes, changed)

/** Throws for a promise, list or number, which has no attributes and would therefore remove all of them. */
function checkResolved(result: unknown): Attributes | undefined {
  if (result === undefined) return undefined
  if (!isRecord(result)) throw failure('resolve must give attributes by name, or undefined, at once')
  const flaw = notJson(result)
  if (flaw !== undefined) throw failure(`resolve gave what is no JSON: ${flaw}`)
  if (!isWellFormed(result)) throw failure(`resolve gave ${HALF_PAIR}`)
  return result as Attributes
}

/** Returns the attributes that turn `from` into `to`; `null` for removed ones. */
function differences(from: Attributes, to: Attributes): Attributes {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].filter(name => !isSameValue(from, to, name))
  return pick(to, names)
}

const pick = (attributes: Attributes, names: readonly string[]): Attributes =>
  Object.fromEntries(names.map(name => [name, attributeOf(attributes, name)]))
