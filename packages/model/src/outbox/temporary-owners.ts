import type { Attributes, ObjectId } from '@godwit/protocol'
import type { OpenModel, OpenModels } from '../database/open-models.js'
import type { IdReference } from '../database/tables/id-tables.js'
import { valueIn } from '../definition/attribute-values.js'
import { followedIn, idNow } from './linked-ids.js'
import { createOf } from './object-state.js'

/** A reference to a temporary id, and the entry of that id's undecided create. */
export interface NamedCreate extends Omit<IdReference, 'entry'> {
  readonly create: number
}

/** Returns the references in attributes to objects with an undecided create. */
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

/** Returns true if an owner has an undecided create, so that objects of the model may refer to temporary ids. */
export const hasUndecidedOwners = (models: OpenModels, { definition }: OpenModel): boolean =>
  [...definition.belongsTo.values()].flat().some(name => models.get(name)?.scope.outbox.hasCreates(name) === true)

/** Records the undecided creates that an entry refers to, so that their real ids can replace the temporary ones. */
export function recordNames(model: OpenModel, entry: number, names: readonly NamedCreate[]): void {
  for (const { owner, object } of names) model.scope.named.add({ owner, object, entry })
}

/**
 * Records references whose create was added after them, for example when an app stores an id before it saves the object. References that would close
 * a cycle are not recorded, so that they do not block sending.
 */
export function recordLateNames(models: OpenModels): void {
  for (const model of models.all()) {
    if (!model.synced || !hasUndecidedOwners(models, model)) continue
    for (const attribute of model.definition.belongsTo.keys()) recordLate(models, model, attribute)
  }
}

function recordLate(models: OpenModels, model: OpenModel, attribute: string): void {
  const owners = models.owners(model.definition, attribute)
  for (const owner of owners) {
    const naming = { model: model.name, attribute, owner: owner.name, creates: owner.scope.outbox.table }
    for (const named of model.scope.named.unlisted(naming)) {
      const create = followedIn(owners, named.object) === owner ? createOf(owner, named.object) : undefined
      if (create && !waitsFor(models, owner, create.entry, named.entry)) model.scope.named.add(named)
    }
  }
}

/** Returns true if one entry depends on another through references. */
function waitsFor(
  models: OpenModels,
  model: OpenModel,
  entry: number,
  other: number,
  seen = new Set<number>(),
): boolean {
  if (seen.has(entry)) return false
  seen.add(entry)
  return model.scope.named.of(entry).some(({ owner: name, object }) => {
    const owner = models.get(name)
    const create = createOf(owner, object)
    if (!owner || !create || create.entry === entry) return false
    return create.entry === other || waitsFor(models, owner, create.entry, other, seen)
  })
}

/** Returns true if entries of other objects, of any model, refer to this id. */
export const isNamedByEntries = (models: OpenModels, owner: string, object: ObjectId): boolean =>
  models.allScopes().some(({ named }) => named.by(owner, object).length > 0)

/** Replaces temporary ids that are linked by now, because an app may keep using an old id. */
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
