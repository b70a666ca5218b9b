import type { OpenModels } from '../database/open-models.js'
import type { Refusal } from '../definition/reported-changes.js'
import { createOf } from '../outbox/object-state.js'
import { refuseDependents } from '../outbox/settle-entry.js'
import { relinkSubscriptions } from '../outbox/subscribed-owners.js'
import { recordLateNames } from '../outbox/temporary-owners.js'
import { relinkLocalRows, relinkNames } from './relink.js'

/**
 * Completes decisions of one partition in the others: a commit is atomic per file, so a kill may have come in between. Afterwards no unsent change
 * refers to an id whose create is decided.
 */
export function finishMigrationNames(models: OpenModels, now: string): readonly Refusal[] {
  recordLateNames(models)
  const refusals: Refusal[] = []
  for (const scope of models.allScopes()) {
    for (const { owner: name, object } of scope.named.all()) {
      const owner = models.get(name)
      if (!owner || createOf(owner, object)) continue
      const real = owner.scope.links.real(name, object)
      if (real !== undefined) relinkNames(models, { model: name, temporary: object, real })
      else if (owner.rows.stamp(object)) scope.named.forgetOwner(name, object)
      else refusals.push(...refuseDependents(models, owner, object, now))
    }
  }
  for (const scope of models.allScopes()) {
    for (const link of scope.links.unspread()) {
      relinkSubscriptions(models, link)
      relinkLocalRows(models, link)
      scope.links.markSpread(link)
    }
  }
  return refusals
}
