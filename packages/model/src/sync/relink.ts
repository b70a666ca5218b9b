import type { ObjectId } from '@godwit/protocol'
import type { Model, Models } from '../database/models.js'
import type { Link } from '../database/tables/id-tables.js'
import type { Entry } from '../database/tables/outbox-table.js'
import { keepBeneath, refreshVisible } from '../outbox/overlay.js'

/**
 * A created object has its real id: its undecided changes move onto it, and its row with them. Rows as the server sent them stay as they are:
 * a row of the real id that is here already, and one under the temporary id, which a source may have kept.
 */
export function relinkObject(model: Model, temporary: ObjectId, real: ObjectId): void {
  const { partition, rows, name } = model
  const here = rows.get(real)
  const undecided = partition.outbox.has(name, real)
  if (!here && !undecided) rows.rename(temporary, real)
  else if (here && !undecided) keepBeneath(model, real, here)
  for (const { entry } of partition.outbox.of(name, temporary)) partition.outbox.change(entry, { object: real })
  partition.links.add({ model: name, temporary, real })
  refreshVisible(model, temporary)
  refreshVisible(model, real)
}

/** Writes a real id over the temporary one in undecided changes of all models. May be repeated: after a kill it is. */
export function relinkNames(models: Models, { model: owner, temporary, real }: Link): void {
  for (const partition of models.allPartitions()) {
    for (const number of partition.named.by(owner, temporary)) {
      const entry = partition.outbox.get(number)
      const child = entry && models.get(entry.model)
      if (!entry || !child) continue
      partition.outbox.change(number, rewritten(child, entry, { model: owner, temporary, real }))
      refreshVisible(child, entry.object)
    }
    partition.named.forgetOwner(owner, temporary)
  }
}

/** Local models are sent nowhere, but may refer to what is: their rows follow. */
export function relinkLocalRows(models: Models, link: Link): void {
  for (const [child, attribute] of models.childrenOf(link.model)) {
    if (!child.synced) child.rows.replaceValue(attribute, link.temporary, link.real)
  }
}

function rewritten(child: Model, { attributes, was, whole }: Entry, { model: owner, temporary, real }: Link) {
  const names = [...child.definition.belongsTo].filter(([, model]) => model === owner).map(([attribute]) => attribute)
  const over = <T extends Entry['whole']>(values: T): T => {
    const named = values ? names.filter(name => Object.hasOwn(values, name) && values[name] === temporary) : []
    return named.length === 0 ? values : { ...values, ...Object.fromEntries(named.map(name => [name, real])) }
  }
  return { attributes: over(attributes), was: over(was), ...(whole && { whole: over(whole) }) }
}
