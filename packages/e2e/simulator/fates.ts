import type { Dice } from './dice.js'
import type { Troubles } from './plan.js'
import type { Fate, QueryFate, Surroundings } from './surroundings.js'
import type { World } from './world.js'

/** Nothing goes wrong. */
export const QUIET: Troubles = { lost: 0, doubled: 0, refused: 0, backend: 0, query: 0 }

/** What becomes of a call of a backend. */
function fateOf(dice: Dice, { refused, backend }: Troubles): Fate {
  if (dice.chance(refused)) return 'refuses'
  if (!dice.chance(backend)) return 'works'
  return dice.any(['fails', 'failsAfter', 'failsAfter', 'hangs', 'hangsAfter']) as Fate
}

/** What becomes of a query of so many objects. */
function queryFateOf(dice: Dice, troubles: Troubles, count: number): QueryFate {
  if (count > 100 && troubles !== QUIET && dice.chance(0.2)) return 'nothing'
  if (!dice.chance(troubles.query)) return 'works'
  return dice.any(['fails', 'breaksOff', 'nonsense', 'hangs']) as QueryFate
}

/** What a backend takes from its world: what goes wrong there is the world's choice. */
export function surroundingsOf(world: World): Surroundings {
  return {
    now: world.time.now,
    moment: what => world.agenda.moment(what),
    fate: () => fateOf(world.dice, world.troubles),
    queryFate: count => queryFateOf(world.dice, world.troubles, count),
    below: limit => world.dice.below(limit),
    note: text => world.note(text),
    doneTwice: (key, source) => {
      if (!world.records.isForgotten(key)) world.violated('a change is done once', `${source} did ${key} twice`)
    },
  }
}
