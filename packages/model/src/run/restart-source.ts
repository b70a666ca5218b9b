import type { OpenModel } from '../database/open-models.js'
import { highWaterOf, NEW_SOURCE, type SourceState } from '../database/source-states.js'

/**
 * Starts over after a change of epoch or client id: token, row versions, `seen` and running requests become invalid; numbers restart at 1, keys stay.
 * Rows stay until a pass has replaced them.
 */
export function restartSource({ scope, rows, name }: OpenModel, changes: Partial<SourceState>): SourceState {
  const known = scope.sources.get(name)
  const versions = [scope.serverRows, scope.removed].map(table => table.highestVersion(name))
  const highWater = highWaterOf(known, Math.max(rows.highestVersion(), ...versions))
  scope.outbox.startOver(name, { isSameEpoch: changes.epoch === undefined })
  scope.removed.clear(name)
  rows.voidVersions()
  const { pass, sync, refreshed, schema } = known
  const state: SourceState = { ...NEW_SOURCE, pass, refreshed, schema, highWater, sync: sync + 1, ...changes }
  scope.sources.set(name, state)
  return state
}

/** Removes rows and undecided changes. `keep`: keeps the sync state except the token, and the links, because the app may hold temporary ids. */
export function empty({ scope, rows, name }: OpenModel, { keep }: { keep: boolean }): void {
  rows.clear()
  const { outbox, removed, refusals, overwritten, blobs } = scope
  for (const table of [outbox, removed, refusals, overwritten, blobs]) table.clear(name)
  if (!keep) scope.links.clear(name)
  scope.named.purge()
  scope.sources.clear(name, { keepsNumbers: keep })
}

/** Removes search results, except those with undecided changes. */
export function dropSearchRows({ rows }: OpenModel): void {
  for (const object of rows.found()) rows.remove(object)
}
