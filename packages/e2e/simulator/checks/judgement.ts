import type { Attributes, Mutation, Outcome } from '@godwit/protocol'
import type { StoredObjectState } from '@godwit/store'
import type { SourcePlan } from '../world/plan.js'

/** A mutation at its start, with the state of its object by which conflicts are detected. */
export interface JudgedMutation {
  readonly mutation: Mutation
  readonly before: StoredObjectState
}

/** A call of a backend. */
export interface BackendCall {
  readonly operation: Mutation['operation']
  readonly attributes: Attributes
}

type Policy = Pick<SourcePlan, 'conflict' | 'passThrough'>

/** Returns why a source must not receive this call; undefined if its policy allows it. */
export function flawOfCall(
  { conflict, passThrough }: Policy,
  { mutation, before }: JudgedMutation,
  call: BackendCall,
): string | undefined {
  if (passThrough || mutation.operation === 'create') return undefined
  if (before.state !== 'live') return flawOnRemoved(conflict, { mutation, before }, call)
  const conflicts = conflictsOf(mutation, before.attributes)
  if (conflict === 'resolve' && conflicts.length > 0) return undefined
  const isRefused = conflict === 'reject' || (conflict === 'server-wins' && mutation.operation === 'delete')
  if (isRefused && conflicts.length > 0) return `${conflicts.join()} had changed`
  if (call.operation !== mutation.operation) return `it was to ${mutation.operation}`
  if (call.operation === 'delete') return undefined
  return flawOfContent(mutation, before.attributes, {
    given: call.attributes,
    kept: conflict === 'server-wins' ? conflicts : [],
  })
}

/** Checks a call for a missing object: it is allowed if the collection never had the object and the device never saw it. */
function flawOnRemoved(
  conflict: Policy['conflict'],
  { mutation, before }: JudgedMutation,
  call: BackendCall,
): string | undefined {
  if (before.state === 'never' && !mutation.seen) return undefined
  return call.operation === 'update' && conflict === 'resolve' ? undefined : 'the object was removed before'
}

interface CallContent {
  readonly given: Attributes
  /** Attributes that retain the values of others. */
  readonly kept: readonly string[]
}

/** Checks that the call contains the device's changes, and in a full update all other attributes unchanged. The backend may replace photos. */
function flawOfContent(mutation: Mutation, present: Attributes, { given, kept }: CallContent): string | undefined {
  const { attributes = {}, changed } = mutation
  const wanted = changedNames(mutation).filter(name => !kept.includes(name))
  const unsent = wanted.find(name => name !== 'photo' && !(name in given && isSame(given, attributes, name)))
  if (unsent !== undefined) return `${unsent} was to be ${attributes[unsent]}`
  const others = [...Object.keys(given), ...(changed ? Object.keys(present) : [])].filter(
    name => !wanted.includes(name) && name !== 'photo',
  )
  const wrong = others.find(name => !(changed && name in given && isSame(given, present, name)))
  return wrong === undefined ? undefined : `${wrong} was ${present[wrong]}, which the device did not change`
}

/** Returns why a mutation must not have this outcome; undefined if it may. */
export function flawOfOutcome({ mutation, before }: JudgedMutation, { status }: Outcome): string | undefined {
  if (status === 'gone' && before.state === 'live') return 'the object was there'
  if (status !== 'conflict') return undefined
  const conflicts = before.state === 'live' ? conflictsOf(mutation, before.attributes) : []
  return conflicts.length === 0 ? 'nothing that it changes had changed' : undefined
}

/** Returns the attributes that others changed since the device saw them, to values other than the mutation's. */
function conflictsOf(mutation: Mutation, present: Attributes): readonly string[] {
  const { operation, attributes = {}, was = {}, seen } = mutation
  if (operation !== 'delete')
    return changedNames(mutation).filter(name => !isSame(present, was, name) && !isSame(present, attributes, name))
  if (seen === undefined && Object.keys(was).length === 0) return []
  return [...new Set([...Object.keys(was), ...Object.keys(present)])].filter(name => !isSame(present, was, name))
}

const changedNames = ({ attributes = {}, changed = Object.keys(attributes) }: Mutation): readonly string[] => changed

const isSame = (one: Attributes, other: Attributes, name: string): boolean =>
  (one[name] ?? null) === (other[name] ?? null)
