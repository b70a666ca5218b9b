import type { SourceError } from '@godwit/protocol'
import type { OpenModels } from '../database/open-models.js'
import type { OutboxEntry } from '../database/tables/outbox-entry.js'
import type { Refusal } from '../definition/reported-changes.js'
import { refuse } from '../outbox/settle-entry.js'
import { CopyRows } from './copy-rows.js'
import type { CopiedModel } from './copy-state.js'
import { destinationOf } from './route-entry.js'

/** A refusal of a partition by the server. */
export interface Denial {
  readonly models: OpenModels
  /** ISO 8601. */
  readonly now: string
  readonly error: SourceError
  /** True if a push was refused: changes with numbers may have been executed before. */
  readonly isOfPush: boolean
}

/**
 * Ends what the device has of a partition that the user may no longer see, inside the caller's transaction: memberships, visitors, and rows beneath
 * changes. Epoch and numbers stay. Returns the refusals of the changes that would have gone there.
 */
export function deny(model: CopiedModel, { models, now, error, isOfPush }: Denial): readonly Refusal[] {
  const base = models.get(model.name) ?? model
  const unsent = model.scope.outbox.ofModel(model.name).filter(entry => {
    const isNew = entry.state === 'unsent' && !entry.sent
    return isNew && destinationOf(models, base, entry)?.copy.id === model.copy.id
  })
  endAll(model)
  model.scope.copies.fail(model.copy.id, error)
  const numbered = isOfPush ? model.scope.outbox.numberedOf(model.copy.id) : []
  const isListed = (entry: OutboxEntry) => model.scope.outbox.get(entry.entry) !== undefined
  const refuseAs = (entry: OutboxEntry, message: string) =>
    isListed(entry)
      ? refuse(models, base, entry, { status: 'refused', error: { code: error.code, message }, at: now })
      : []
  return [
    ...unsent.flatMap(entry => refuseAs(entry, error.message)),
    ...numbered.flatMap(entry => refuseAs(entry, `${error.message} The change may have been executed before.`)),
  ]
}

function endAll(model: CopiedModel): void {
  const { state, tombstones } = model
  const known = state.get()
  const rows = new CopyRows(model, known)
  for (const object of rows.objects()) rows.end(object, { isDenied: true })
  tombstones.clear()
  const stopped = { token: null, running: false, resync: false, base: 0, highest: 0 } as const
  state.set({ ...known, ...stopped, sync: known.sync + 1, checksum: rows.checksum, refreshed: '' })
}
