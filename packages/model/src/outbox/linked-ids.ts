import type { ObjectId } from '@godwit/protocol'
import type { OpenModel } from '../database/open-models.js'
import { createOf } from './object-state.js'

type OwnerModel = Pick<OpenModel, 'name' | 'rows' | 'scope' | 'synced'>

/**
 * Returns the current id of an object: the given id if it has a row, otherwise the real id of its link. With several owners, exactly one must have
 * linked or created the id, because real ids of two owners may be equal.
 */
export function idNow(owners: readonly OwnerModel[], id: ObjectId): ObjectId {
  let [now, next] = [id, linkOf(owners, id)]
  for (const passed = new Set([id]); next !== undefined && !passed.has(next); next = linkOf(owners, now)) {
    now = next
    passed.add(now)
  }
  return now
}

function linkOf(owners: readonly OwnerModel[], id: ObjectId): ObjectId | undefined {
  if (owners.some(({ rows }) => rows.stamp(id))) return undefined
  const links = owners.map(owner => (owner.synced ? owner.scope.links.real(owner.name, id) : undefined))
  const known = owners.filter((owner, at) => links[at] !== undefined || (owners.length > 1 && isHidden(owner, id)))
  return known.length === 1 ? links.find(link => link !== undefined) : undefined
}

/** Returns true if an id has undecided changes but no visible row. */
const isHidden = ({ scope, name }: OwnerModel, id: ObjectId): boolean => scope.outbox.hidden(name, id) !== null

/** Returns the owner whose links apply to an id. Of several, it is the only one that created or linked the id, if no other has a row with it. */
export function followedIn(owners: readonly OpenModel[], id: ObjectId): OpenModel | undefined {
  if (owners.length < 2) return owners[0]
  const [one, ...others] = owners.filter(owner => isMadeHere(owner, id))
  const isClear = one !== undefined && others.length === 0
  return isClear && owners.every(owner => owner === one || !owner.rows.stamp(id)) ? one : undefined
}

const isMadeHere = (owner: OpenModel, id: ObjectId): boolean =>
  createOf(owner, id) !== undefined || owner.scope.links.real(owner.name, id) !== undefined

/** Returns true if any of these models has a temporary id that a server replaced. */
export const hasLinks = (owners: readonly OwnerModel[]): boolean =>
  owners.some(({ synced, scope, name }) => synced && scope.links.hasAny(name))

/** Above this number of ids, one statement first checks whether any is linked. */
const MAX_UNCHECKED_IDS = 4

/** Returns these ids and all other ids of the same objects: real ids, and temporary ids linked to them. */
export function withLinkedIds(owners: readonly OwnerModel[], ids: readonly ObjectId[]): ReadonlySet<ObjectId> {
  if (ids.length > MAX_UNCHECKED_IDS && !owners.some(({ name, scope }) => scope.links.hasOne(name, ids)))
    return new Set(ids)
  const reached = new Set<ObjectId>()
  for (const id of ids) {
    const now = idNow(owners, id)
    reach(owners, now, now, reached)
  }
  for (const id of ids) reached.add(id)
  return reached
}

/** Adds an id and, recursively, the temporary ids linked to it whose current id is `now`. */
function reach(owners: readonly OwnerModel[], id: ObjectId, now: ObjectId, reached: Set<ObjectId>): void {
  if (reached.has(id)) return
  reached.add(id)
  for (const { name, scope } of owners)
    for (const temporary of scope.links.temporaries(name, id))
      if (idNow(owners, temporary) === now) reach(owners, temporary, now, reached)
}
