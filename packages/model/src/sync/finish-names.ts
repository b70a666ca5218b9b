import type { OpenModels } from '../database/models.js'
import type { Refusal } from '../definition/reported-changes.js'
import { createOf } from '../outbox/object-state.js'
import { refuseDependents } from '../outbox/settle.js'
import { recordLateNames } from '../outbox/temporary-owners.js'
import { relinkLocalRows, relinkNames } from './relink.js'

/**
 * Completes decisions of one partition in the others: a commit is atomic per file, so a kill may have come in between. Afterwards no unsent change
 * refers to an id whose create is decided.
 */
export function finishMigrationNames(models: OpenModels, now: string): readonly Refusal[] {
  recordLateNames(models)
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
