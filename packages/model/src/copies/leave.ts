import type { OpenModel } from '../database/open-models.js'
import { entriesOf } from '../outbox/object-state.js'
import { CopyRows } from './copy-rows.js'
import { type CopiedModel, copiesOf } from './copy-state.js'
import { isWanted } from './wanted.js'

/** Objects removed between two looks at the time. */
const OBJECTS_PER_LOOK = 100

/** Returns the copies with rows that nothing wants any longer. */
export const copiesToLeave = (model: OpenModel, now: number): readonly CopiedModel[] =>
  copiesOf(model).filter(one => !isWanted(model, one.copy.partition, now) && hasRows(one))

function hasRows({ rows, scope, copy, name }: CopiedModel): boolean {
  return (
    rows.countLedBy(copy.id) > 0 ||
    scope.memberships.inCopy(copy.id).length > 0 ||
    scope.leads.objects(name, copy.id).length > 0
  )
}

/**
 * Removes rows of a copy inside the caller's transaction, until it is over. The first part voids the token, so that pages of running requests are
 * dropped, and another subscription begins from zero over what is left. Rows with undecided changes stay until these are decided. Returns true if
 * nothing is left that can be removed now.
 */
export function leave(model: CopiedModel, isOver: () => boolean): boolean {
  const { state, tombstones } = model
  const known = state.get()
  const isBegun = known.token === null && !known.running
  const stopped = { token: null, running: false, resync: false, base: 0, highest: 0, refreshed: '' } as const
  const left = isBegun ? known : { ...known, ...stopped, sync: known.sync + 1 }
  if (!isBegun) tombstones.clear()
  const rows = new CopyRows(model, left)
  let isLast = true
  for (const [at, object] of rows.objects().entries()) {
    if (at > 0 && at % OBJECTS_PER_LOOK === 0 && isOver()) {
      isLast = false
      break
    }
    if (entriesOf(model, object).length === 0) rows.end(object)
  }
  state.set({ ...left, checksum: rows.checksum })
  return isLast
}
