import type { OpenModel } from '../database/open-models.js'
import { highWaterOf, NEW_SOURCE, type SourceState } from '../database/source-states.js'
import { changedIn } from '../outbox/object-state.js'

/**
 * Starts over after a change of epoch or client id: token, row versions, `seen` and running requests become invalid; numbers restart at 1, keys stay.
 * Rows stay until a pass has replaced them.
 */
export function restartSource(
  { scope, rows, name, state: cell, tombstones, copy }: OpenModel,
  changes: Partial<SourceState>,
): SourceState {
  if (copy) return restartCopy({ name, scope, rows, state: cell, tombstones }, copy.id, changes)
  const known = cell.get()
  const versions = [rows.highestVersion(), scope.serverRows.highestVersion(name), tombstones.highestVersion()]
  const highWater = highWaterOf(known, Math.max(...versions))
  scope.outbox.startOver(name, { isSameEpoch: changes.epoch === undefined })
  tombstones.clear()
  rows.voidVersions()
  const { pass, sync, refreshed, schema } = known
  const state: SourceState = { ...NEW_SOURCE, pass, refreshed, schema, highWater, sync: sync + 1, ...changes }
  cell.set(state)
  return state
}

/** The same for one copy of a partition. Row versions belong to the epoch, so another client id keeps them. */
function restartCopy(
  { name, scope, rows, state: cell, tombstones }: Pick<OpenModel, 'name' | 'scope' | 'rows' | 'state' | 'tombstones'>,
  copy: number,
  changes: Partial<SourceState>,
): SourceState {
  const { pass, sync, refreshed, schema, epoch, checksum } = cell.get()
  scope.routes.startOver(copy)
  tombstones.clear()
  if (changes.epoch !== undefined) {
    rows.voidVersionsOf(copy)
    scope.memberships.voidVersions(copy)
    for (const object of changedIn({ scope, rows, name }, copy)) {
      const first = rows.stamp(object)?.entry ?? scope.outbox.hidden(name, object)
      if (first !== null) scope.serverRows.voidVersion(first)
    }
  }
  const kept = changes.epoch === undefined && { checksum }
  const state: SourceState = { ...NEW_SOURCE, epoch, pass, refreshed, schema, sync: sync + 1, ...kept, ...changes }
  cell.set(state)
  return state
}

/** Removes rows and undecided changes. `keep`: keeps the sync state except the token, and the links, because the app may hold temporary ids. */
export function empty(
  { scope, rows, name, state, tombstones, definition }: OpenModel,
  { keep }: { keep: boolean },
): void {
  rows.clear()
  const { outbox, refusals, overwritten, blobs } = scope
  for (const table of [outbox, refusals, overwritten, blobs]) table.clear(name)
  tombstones.clear()
  if (!keep) scope.links.clear(name)
  scope.named.purge()
  if (definition.by) emptyCopies({ scope, name }, keep)
  state.clear({ keepsNumbers: keep })
}

/** The numbers of copies live as long as the client id. */
function emptyCopies({ scope, name }: Pick<OpenModel, 'scope' | 'name'>, keep: boolean): void {
  scope.routes.purge()
  scope.memberships.clear(name)
  scope.leads.clear(name)
  for (const { id } of scope.copies.of(name)) {
    scope.copyTombstones(id).clear()
    scope.copies.state(id).clear({ keepsNumbers: keep })
  }
  if (keep) return
  scope.copies.clear(name)
  scope.subscriptions.clear(name)
}

/** Removes search results, except those with undecided changes. */
export function dropSearchRows({ rows }: OpenModel): void {
  for (const object of rows.found()) rows.remove(object)
}
