import { type ObjectId, type PartitionParameters, parametersName } from '@godwit/protocol'
import type { OpenModel, OpenModels } from '../database/open-models.js'
import type { IdLink } from '../database/tables/id-tables.js'

/** Renames subscriptions of partitions that a temporary id names, in the transaction that links it. */
export function relinkSubscriptions(models: OpenModels, { model: owner, temporary, real }: IdLink): void {
  for (const { child, names, parameters, partition } of subscribedTo(models, owner, temporary)) {
    const { subscriptions } = child.scope
    const known = subscriptions.get(child.name, partition)
    const renamed: PartitionParameters = { ...parameters, ...Object.fromEntries(names.map(name => [name, real])) }
    subscriptions.remove(child.name, partition)
    if (known?.isOfApp) subscriptions.subscribe(child.name, { ...known, partition: parametersName(renamed) })
  }
}

/** Ends subscriptions of partitions that an object names whose create was refused. */
export function endSubscriptions(models: OpenModels, owner: string, object: ObjectId): void {
  for (const { child, partition } of subscribedTo(models, owner, object))
    child.scope.subscriptions.remove(child.name, partition)
}

/** A subscription of a partition that an object names. */
interface NamedPartition {
  readonly child: OpenModel
  /** The attributes of `by` with the object's id. */
  readonly names: readonly string[]
  readonly parameters: PartitionParameters
  readonly partition: string
}

function subscribedTo(models: OpenModels, owner: string, object: ObjectId): readonly NamedPartition[] {
  return models.all().flatMap(child => {
    const { by = [], belongsTo } = child.definition
    const owned = by.filter(name => belongsTo.get(name)?.includes(owner))
    if (owned.length === 0) return []
    return child.scope.subscriptions.of(child.name).flatMap(({ parameters, partition }) => {
      const names = owned.filter(name => parameters[name] === object)
      return names.length > 0 ? [{ child, names, parameters, partition }] : []
    })
  })
}
