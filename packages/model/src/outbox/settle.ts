import type { ObjectId } from '@godwit/protocol'
import { NO_ATTRIBUTES, picked } from '../database/attributes.js'
import type { Model, Models } from '../database/models.js'
import type { Entry } from '../database/tables/outbox-table.js'
import type { Refusal } from '../device.js'
import { overlay, refreshVisible } from './overlay.js'

/** Why an entry was not taken, as the app hears it. */
export type Reason = Pick<Refusal, 'status' | 'error' | 'at'>

/** A decided entry goes; what waits for it goes on from the server's row as it now stands. */
export function settle(model: Model, entry: Entry): void {
  model.partition.outbox.remove(entry.entry)
  model.partition.named.forget(entry.entry)
  rebase(model, entry.object)
  refreshVisible(model, entry.object)
}

/** An entry that was not taken goes, and with a create whatever needs its object. All refusals that follow, this one first. */
export function refuse(models: Models, model: Model, entry: Entry, reason: Reason): readonly Refusal[] {
  const { object, operation, attributes, was } = entry
  settle(model, entry)
  const refusal = model.partition.refusals.add({ ...reason, model: model.name, object, operation, attributes, was })
  return operation === 'create' ? [refusal, ...refuseDependents(models, model, object, reason.at)] : [refusal]
}

/** Later changes of an object that never came to be, and unsent changes of others that name it. What is in a request the server refuses itself. */
export function refuseDependents(models: Models, owner: Model, object: ObjectId, at: string): readonly Refusal[] {
  const reason: Reason = {
    status: 'depends_on_refused',
    error: {
      code: 'depends_on_refused',
      message: `The creation of ${owner.name} ${object}, which it names, was refused.`,
    },
    at,
  }
  const later = owner.partition.outbox.of(owner.name, object).map(({ entry }) => [owner, entry] as const)
  const naming = models
    .allPartitions()
    .flatMap(partition =>
      partition.named.by(owner.name, object).map(number => [partition.outbox.get(number)?.model, number] as const),
    )
  const dependents = [...later, ...naming.map(([name, number]) => [models.get(name ?? ''), number] as const)]
  return dependents.flatMap(([model, number]) => {
    const entry = model?.partition.outbox.get(number)
    return model && entry && entry.key === null ? refuse(models, model, entry, reason) : []
  })
}

/** What waits was made on a state that is decided now: `was` and `seen` follow. */
function rebase({ partition, name }: Model, object: ObjectId): void {
  const row = partition.beneath.get(name, object)
  const entries = partition.outbox.of(name, object)
  let state = row?.attributes ?? null
  for (const [place, entry] of entries.entries()) {
    if (entry.key === null && entry.operation !== 'create') {
      const was =
        entry.operation === 'update'
          ? picked(state ?? NO_ATTRIBUTES, Object.keys(entry.attributes))
          : (state ?? NO_ATTRIBUTES)
      const seen = place === 0 && row && !row.dead && row.version > 0 ? row.version : null
      partition.outbox.change(entry.entry, { was, seen })
    }
    state = overlay(state, [entry])
  }
}
