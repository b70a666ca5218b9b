import type { ChangeOrigin, ObjectHistory, ObjectVersion, StoredObjectState } from '../collections.js'

/** A commit of more objects than this, all of one origin, is logged without their ids. */
export const MAX_LISTED = 100

/** Milliseconds for which a commit is told; older ones count as forgotten. */
export const COMMIT_LIFE = 90 * 24 * 60 * 60 * 1000

/** How many of the last commits a collection of this many objects keeps. */
export const maxCommits = (count: number): number => 200 + Math.floor(count / 100)

/** What the change log has of one commit about one object. */
export interface LoggedChange {
  /** Milliseconds since 1970. */
  readonly time: number
  readonly origin?: ChangeOrigin | undefined
  /** The version that the object had before, negative for a tombstone, 0 for none. Absent: the commit lists no objects. */
  readonly previous?: number | undefined
}

/** How much of an object's history is told. */
export interface HistoryOptions {
  readonly limit: number
  /** The store's clock: commits older than `COMMIT_LIFE` are not told. */
  readonly now: number
}

/** The log's entry for what an object was before a commit. */
export const previousOf = (present: { readonly version: number; readonly text: string | null } | undefined): number =>
  present ? (present.text === null ? -present.version : present.version) : 0

/** Follows an object from its present version to the ones before, as far as the log goes. */
export function objectHistory(
  { state, ...present }: StoredObjectState,
  logged: (version: number) => LoggedChange | undefined,
  { limit, now }: HistoryOptions,
): ObjectHistory {
  const versions: ObjectVersion[] = []
  let next = 'version' in present ? (state === 'gone' ? -present.version : present.version) : 0
  while (next !== 0) {
    if (versions.length === limit) return { state, versions, earlier: 'more' }
    const version = Math.abs(next)
    const found = logged(version)
    const change = found && found.time > now - COMMIT_LIFE ? found : undefined
    versions.push({
      version,
      operation: operationOf(next < 0, change?.previous),
      ...(change && { time: change.time }),
      ...(change?.origin && { origin: change.origin }),
    })
    if (change?.previous === undefined) return { state, versions, earlier: 'forgotten' }
    next = change.previous
  }
  return { state, versions, earlier: 'none' }
}

function operationOf(isRemoval: boolean, previous: number | undefined): ObjectVersion['operation'] {
  if (isRemoval) return 'removed'
  if (previous === undefined) return 'written'
  return previous > 0 ? 'changed' : 'created'
}
