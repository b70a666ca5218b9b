import type { Attributes, ObjectId } from '@godwit/protocol'
import { valueIn } from '../database/attributes.js'
import type { OpenModel, OpenModels } from '../database/models.js'
import type { IdReference } from '../database/tables/id-tables.js'
import { followedIn, idNow } from './linked-ids.js'
import { createOf } from './object-state.js'

/** A temporary id among attributes, and the entry of its undecided create. */
export interface NamedCreate extends Omit<IdReference, 'entry'> {
  readonly create: number
}

/** Returns the temporary ids among the owners in these attributes. */
export function namesIn(models: OpenModels, model: OpenModel, attributes: Attributes): readonly NamedCreate[] {
  if (model.definition.belongsTo.size === 0) return []
  const found: NamedCreate[] = []
  for (const attribute of model.definition.belongsTo.keys()) {
    const object = valueIn(attributes, attribute)
    if (typeof object !== 'string') continue
    const owner = followedIn(models.owners(model.definition, attribute), object)
    const create = createOf(owner, object)
    if (owner && create) found.push({ owner: owner.name, object, create: create.entry })
  }
  return found
}

/** Whether objects of a model may refer to temporary ids: an owner has an undecided create. */
export const hasUndecidedOwners = (models: OpenModels, { definition }: OpenModel): boolean =>
  [...definition.belongsTo.values()].flat().some(name => models.get(name)?.partition.outbox.hasCreates(name) === true)

/** Records which undecided creates an entry refers to, so that their real ids can be written into it. */
export function noteNames(model: OpenModel, entry: number, names: readonly NamedCreate[]): void {
  for (const { owner, object } of names) model.partition.named.add({ owner, object, entry })
}

/**
 * Records references whose create was added after them: the object was created earlier and saved later, or the attribute referred to nothing then. A
 * cycle is sent without waiting.
 */
export function noteLateNames(models: OpenModels): void {
  for (const model of models.all()) {
    if (!model.synced || !hasUndecidedOwners(models, model)) continue
    for (const attribute of model.definition.belongsTo.keys()) noteLate(models, model, attribute)
  }
}

function noteLate(models: OpenModels, model: OpenModel, attribute: string): void {
  const owners = models.owners(model.definition, attribute)
  for (const owner of owners) {
    const naming = { model: model.name, attribute, owner: owner.name, creates: owner.partition.outbox.table }
    for (const named of model.partition.named.unlisted(naming)) {
      const create = followedIn(owners, named.object) === owner ? createOf(owner, named.object) : undefined
      if (create && !waitsFor(models, owner, create.entry, named.entry)) model.partition.named.add(named)
    }
  }
}

/** Whether one entry must wait for another, by references. */
function waitsFor(
  models: OpenModels,
  model: OpenModel,
  entry: number,
  other: number,
  seen = new Set<number>(),
): boolean {
  if (seen.has(entry)) return false
  seen.add(entry)
  return model.partition.named.of(entry).some(({ owner: name, object }) => {
    const owner = models.get(name)
    const create = createOf(owner, object)
    if (!owner || !create || create.entry === entry) return false
    return create.entry === other || waitsFor(models, owner, create.entry, other, seen)
  })
}

/** Whether entries of other objects, of any model, refer to this id. */
export const isNamedByEntries = (models: OpenModels, owner: string, object: ObjectId): boolean =>
  models.allPartitions().some(({ named }) => named.by(owner, object).length > 0)

/** Replaces temporary ids that were linked meanwhile, since an app may keep an old id. */
export function withRealIds(models: OpenModels, { definition }: OpenModel, attributes: Attributes): Attributes {
  let result = attributes
  for (const attribute of definition.belongsTo.keys()) {
    const object = valueIn(attributes, attribute)
    if (typeof object !== 'string') continue
    const now = idNow(models.owners(definition, attribute), object)
    if (now !== object) result = { ...result, [attribute]: now }
  }
  return result
}
