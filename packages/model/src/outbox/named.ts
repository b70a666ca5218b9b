import type { Attributes, ObjectId } from '@godwit/protocol'
import { valueIn } from '../database/attributes.js'
import type { Model, Models } from '../database/models.js'
import type { Named } from '../database/tables/id-tables.js'
import { createOf } from './standing.js'

/** A temporary id that attributes name, and the entry of its undecided create. */
export interface NamedCreate extends Omit<Named, 'entry'> {
  readonly create: number
}

/** The temporary ids among the owners that attributes name. */
export function namesIn(models: Models, model: Model, attributes: Attributes): readonly NamedCreate[] {
  if (model.definition.belongsTo.size === 0) return []
  const found: NamedCreate[] = []
  for (const [attribute, owner] of model.definition.belongsTo) {
    const object = valueIn(attributes, attribute)
    if (typeof object !== 'string') continue
    const create = createOf(models.get(owner), object)
    if (create) found.push({ owner, object, create: create.entry })
  }
  return found
}

/** Whether objects of a model may name temporary ids: an owner has a create that is undecided. */
export const namesUndecided = (models: Models, { definition }: Model): boolean =>
  [...definition.belongsTo.values()].some(name => models.get(name)?.partition.outbox.hasCreates(name) === true)

export function noteNames(model: Model, entry: number, names: readonly NamedCreate[]): void {
  for (const { owner, object } of names) model.partition.named.add({ owner, object, entry })
}

/** Whether entries of other objects, of any model, name this id. */
export const isNamed = (models: Models, owner: string, object: ObjectId): boolean =>
  models.allPartitions().some(({ named }) => named.by(owner, object).length > 0)

/** With real ids in place of temporary ones that were linked meanwhile: an app may hold on to an old id. */
export function withRealIds(models: Models, model: Model, attributes: Attributes): Attributes {
  let result = attributes
  for (const [attribute, ownerName] of model.definition.belongsTo) {
    const [object, owner] = [valueIn(attributes, attribute), models.get(ownerName)]
    if (typeof object !== 'string' || !owner) continue
    const real = owner.rows.stamp(object) ? undefined : owner.partition.links.real(ownerName, object)
    if (real !== undefined) result = { ...result, [attribute]: real }
  }
  return result
}
