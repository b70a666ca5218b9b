import type { ChangeOrigin, ObjectHistory, ObjectVersion, StoredObjectState } from '../collections.js'

/** The size above which a commit with a single origin is logged without its objects' ids. */
export const MAX_LISTED = 100

/** Milliseconds that a commit stays in the history. */
export const COMMIT_LIFE = 90 * 24 * 60 * 60 * 1000

/** How many of the last commits a collection of this size keeps. */
export const maxCommits = (count: number): number => 200 + Math.floor(count / 100)

/** The log's entry for one object in one commit. */
export interface LoggedChange {
  /** Milliseconds since 1970. */
  readonly time: number
  readonly origin?: ChangeOrigin | undefined
  /** The object's version before: negative for a tombstone, 0 for none. Absent if the commit lists no objects. */
  readonly previous?: number | undefined
}

/** The options of reading an object's history. */
export interface HistoryOptions {
  readonly limit: number
  /** The store's time: commits older than `COMMIT_LIFE` are ignored. */
  readonly now: number
}

/** Encodes an object's version before a commit: negative for a tombstone, 0 for none. */
export const previousOf = (present: { readonly version: number; readonly text: string | null } | undefined): number =>
  present ? (present.text === null ? -present.version : present.version) : 0

/** Follows an object from its present version back through the log. */
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
