import type { OpenModel, OpenModels } from '../database/open-models.js'
import type { StoredSubscription } from '../database/tables/subscription-table.js'
import { createOf } from '../outbox/object-state.js'

/** Returns the partitions that the device wants at a time, the most urgent first. One that a temporary id names waits for its object. */
export const wantedPartitions = (models: OpenModels, model: OpenModel, now: number): readonly StoredSubscription[] =>
  model.scope.subscriptions
    .of(model.name)
    .filter(one => isInUse(one, now) && !namesTemporary(models, model, one.parameters))

/** True while the server or the app wants it, and until `keep` has passed since. */
export const isInUse = ({ isListed, isOfApp, until }: StoredSubscription, now: number): boolean =>
  isListed || isOfApp || (until ?? 0) > now

/** True if the copy of a partition may have rows. */
export function isWanted(model: OpenModel, partition: string, now: number): boolean {
  const known = model.scope.subscriptions.get(model.name, partition)
  return known !== undefined && isInUse(known, now)
}

/** True if an attribute of `by` is the id of an object whose create is undecided: no request names such a partition. */
export const namesTemporary = (
  models: OpenModels,
  { definition }: OpenModel,
  attributes: { readonly [name: string]: unknown },
): boolean =>
  (definition.by ?? []).some(name => {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    return (
      typeof value === 'string' && models.owners(definition, name).some(owner => createOf(owner, value) !== undefined)
    )
  })
