import type { ObjectId } from '@godwit/protocol'
import type { OpenModel, OpenModels } from '../database/open-models.js'
import type { IdLink } from '../database/tables/id-tables.js'
import type { OutboxEntry } from '../database/tables/outbox-entry.js'
import { followedIn } from '../outbox/linked-ids.js'
import { entriesOf, stateOf, storeState } from '../outbox/object-state.js'

/**
 * Moves undecided changes and the row of a created object to its real id. Rows from the server do not change: neither an existing row of the real id,
 * nor one of the temporary id, which the source may use.
 */
export function relinkObject(model: OpenModel, temporary: ObjectId, real: ObjectId): void {
  const { scope, rows, name } = model
  const [from, here] = [stateOf(model, temporary), stateOf(model, real)]
  if (!here.serverRow && here.entries.length === 0) rows.rename(temporary, real)
  for (const { entry } of from.entries) scope.outbox.change(entry, { object: real })
  scope.links.add({ model: name, temporary, real })
  storeState(model, temporary, { serverRow: from.serverRow, entries: [] })
  storeState(model, real, {
    serverRow: here.serverRow,
    entries: [...here.entries, ...from.entries].sort((a, b) => a.entry - b.entry),
  })
}

/** Replaces a temporary id by the real one in undecided changes of all models. Idempotent, since a kill may repeat it. */
export function relinkNames(models: OpenModels, { model: owner, temporary, real }: IdLink): void {
  for (const scope of models.allScopes()) {
    for (const number of scope.named.by(owner, temporary)) {
      const entry = scope.outbox.get(number)
      const child = entry && models.get(entry.model)
      if (!entry || !child) continue
      const { serverRow } = stateOf(child, entry.object)
      scope.outbox.change(number, rewritten(models, child, entry, { model: owner, temporary, real }))
      storeState(child, entry.object, { serverRow, entries: entriesOf(child, entry.object) })
    }
    scope.named.forgetOwner(owner, temporary)
  }
}

/** Replaces the id in rows of local models, which may refer to objects that sync. */
export function relinkLocalRows(models: OpenModels, link: IdLink): void {
  for (const [child, attribute] of models.childrenOf(link.model)) {
    if (!child.synced && isFollowed(models, child, attribute, link))
      child.rows.replaceValue(attribute, link.temporary, link.real)
  }
}

/** If an attribute holds ids of several models, the id must belong to this owner only. */
const isFollowed = (models: OpenModels, { definition }: OpenModel, attribute: string, link: IdLink): boolean =>
  followedIn(models.owners(definition, attribute), link.temporary)?.name === link.model

function rewritten(models: OpenModels, child: OpenModel, { attributes, was, whole }: OutboxEntry, link: IdLink) {
  const { temporary, real } = link
  const names = [...child.definition.belongsTo.keys()].filter(name => isFollowed(models, child, name, link))
  const over = <T extends OutboxEntry['whole']>(values: T): T => {
    const named = values ? names.filter(name => Object.hasOwn(values, name) && values[name] === temporary) : []
    return named.length === 0 ? values : { ...values, ...Object.fromEntries(named.map(name => [name, real])) }
  }
  return { attributes: over(attributes), was: over(was), ...(whole && { whole: over(whole) }) }
}
