import type { BackendEnvironment, CallOutcome, QueryOutcome } from '../actors/backend-environment.js'
import { flawOfCall } from '../checks/judgement.js'
import type { Observations } from '../checks/observations.js'
import { checkOnlyRequestedQueries, type PolledWorld } from '../checks/requested-queries.js'
import type { Counts } from './counts.js'
import type { Dice } from './dice.js'
import type { Troubles } from './plan.js'
import type { Scheduler } from './scheduler.js'
import type { VirtualTime } from './virtual-time.js'

/** Fault probabilities of zero. */
export const NO_TROUBLES: Troubles = { lost: 0, doubled: 0, refused: 0, backend: 0, query: 0 }

/** Draws the outcome of a backend call. */
function callOutcomeOf(dice: Dice, { refused, backend }: Troubles): CallOutcome {
  if (dice.chance(refused)) return 'refuses'
  if (!dice.chance(backend)) return 'works'
  return dice.any(['fails', 'failsAfter', 'failsAfter', 'hangs', 'hangsAfter']) as CallOutcome
}

/** Draws the outcome of a query that returns `count` objects. */
function queryOutcomeOf(dice: Dice, troubles: Troubles, count: number): QueryOutcome {
  if (count > 100 && troubles !== NO_TROUBLES && dice.chance(0.2)) return 'nothing'
  if (!dice.chance(troubles.query)) return 'works'
  return dice.any(['fails', 'breaksOff', 'nonsense', 'hangs']) as QueryOutcome
}

/** The part of a world that determines the outcome of a call. */
interface OutcomeContext extends PolledWorld {
  readonly time: VirtualTime
  readonly scheduler: Scheduler
  readonly observations: Observations
  readonly dice: Dice
  readonly troubles: Troubles
  readonly counts: Counts
  readonly note: (text: string) => void
}

/** Returns the environment of a backend, with outcomes drawn by the world. */
export function backendEnvironmentOf(world: OutcomeContext): BackendEnvironment {
  return {
    now: world.time.now,
    delay: what => world.scheduler.delay(what),
    callOutcome() {
      const outcome = callOutcomeOf(world.dice, world.troubles)
      if (outcome !== 'works' && outcome !== 'refuses') world.counts.add('calls that failed')
      return outcome
    },
    queryOutcome(count) {
      const outcome = queryOutcomeOf(world.dice, world.troubles, count)
      if (outcome !== 'works') world.counts.add('queries that failed')
      return outcome
    },
    callBegins: (source, key, call) => {
      const judged = world.observations.key(key)?.started
      const flaw = judged && flawOfCall(source, judged, call)
      if (flaw)
        world.violated(
          'a source is asked for what its policy allows',
          `${JSON.stringify(call)} by ${JSON.stringify(judged)}: ${flaw}`,
        )
    },
    queryBegins: (source, partition) => checkOnlyRequestedQueries(world, source, partition),
    below: limit => world.dice.below(limit),
    note: text => world.note(text),
    violated: (promise, found) => world.violated(promise, found),
    isNamed: (source, partition, photo) => {
      const place = { source, partition: partition === '*' ? partition : `user:${partition}` }
      return world.observations.of(place).names(photo)
    },
    doneTwice: (key, source) => {
      if (!world.observations.isForgotten(key)) world.violated('a change is done once', `${source} did ${key} twice`)
    },
  }
}
