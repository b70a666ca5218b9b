import type { SimulatedDevice } from '../actors/device.js'
import type { SimulatedWorld } from '../world/world.js'
import { mutationsOf } from './edits-of.js'
import type { SentMutation } from './sent-mutation.js'
import { Violation } from './violation.js'

/** Checks that every decided change was applied or settled, and that no change that a backend performed is reported as refused. */
export function checkEditsCompleted(world: SimulatedWorld, device: SimulatedDevice): void {
  for (const edit of device.edits) {
    const sent = mutationsOf(world, device, edit)
    const { partition } = device.collection(edit.model, edit.owner)
    // If the user has changed teams, the change was sent for the former team.
    const isOfTeams = world.backend(edit.model).plan.isOfTeams === true
    const elsewhere =
      edit.owner === null || isOfTeams ? undefined : sent.find(one => one.collection.partition !== partition)
    if (elsewhere)
      throw new Violation("a change is its user's", `${JSON.stringify(edit)} was sent as ${JSON.stringify(elsewhere)}`)
    const backend = world.backend(edit.model)
    const done = sent.filter(({ mutation }) => backend.effects.some(({ key }) => key === mutation.key))
    const wasDone = done.length > 0
    const undone = done.find(one => isRefusedByJudgement(world, one))
    if (undone)
      throw new Violation(
        'what was done is not refused',
        `${device.name} heard that ${JSON.stringify(undone)} was not done`,
      )
    if (edit.status !== 'decided') continue
    world.counts.add('changes completed')
    // A conflict decided by the policy, or an object removed earlier, needs no backend call.
    const wasSettled = sent.some(({ outcome }) => outcome?.status === 'applied' || outcome?.status === 'conflict')
    if (!wasDone && !wasSettled)
      throw new Violation(
        'nothing is lost',
        `${device.name}: ${JSON.stringify(edit)} was sent as ${JSON.stringify(sent)}`,
      )
  }
}

/** True if the server refused it by its own rules, rather than an operator, and no lost journal may have applied it. */
const isRefusedByJudgement = (
  { operated, plan, observations }: SimulatedWorld,
  { collection, mutation, outcome }: SentMutation,
): boolean =>
  (outcome?.status === 'conflict' || outcome?.status === 'gone' || outcome?.status === 'refused') &&
  mutation.sent !== true &&
  !observations.isForgotten(mutation.key) &&
  !operated.has(mutation.key) &&
  plan.sources.every(({ name, passThrough }) => name !== collection.source || !passThrough)
