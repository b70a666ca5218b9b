import type { OpenModels } from '../database/models.js'
import type { Refusal } from '../device.js'
import { createOf } from '../outbox/object-state.js'
import { refuseDependents } from '../outbox/settle.js'
import { noteLateNames } from '../outbox/temporary-owners.js'
import { relinkLocalRows, relinkNames } from './relink.js'

/**
 * What one partition's decisions mean for the others, done again: a commit is atomic per file, and a kill may have come between two.
 * After it, no unsent change names an id whose create is decided.
 */
export function finishMigrationNames(models: OpenModels, now: string): readonly Refusal[] {
  noteLateNames(models)
  const refusals: Refusal[] = []
  for (const partition of models.allPartitions()) {
    for (const { owner: name, object } of partition.named.all()) {
      const owner = models.get(name)
      if (!owner || createOf(owner, object)) continue
      const real = owner.partition.links.real(name, object)
      if (real !== undefined) relinkNames(models, { model: name, temporary: object, real })
      else if (owner.rows.stamp(object)) partition.named.forgetOwner(name, object)
      else refusals.push(...refuseDependents(models, owner, object, now))
    }
  }
  for (const partition of models.allPartitions()) {
    for (const link of partition.links.unspread()) {
      relinkLocalRows(models, link)
      partition.links.markSpread(link)
    }
  }
  return refusals
}
