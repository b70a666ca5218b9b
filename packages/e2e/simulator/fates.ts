import type { Agenda } from './agenda.js'
import type { Dice } from './dice.js'
import type { Troubles } from './plan.js'
import type { Records } from './records.js'
import type { Fate, QueryFate, Surroundings } from './surroundings.js'
import type { VirtualTime } from './virtual-time.js'

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

/** As much of a world as decides what becomes of a call. */
interface Deciding {
  readonly time: VirtualTime
  readonly agenda: Agenda
  readonly records: Records
  readonly dice: Dice
  readonly troubles: Troubles
  readonly note: (text: string) => void
  readonly violated: (promise: string, found: string) => void
}

/** What a backend takes from its world: what goes wrong there is the world's choice. */
export function surroundingsOf(world: Deciding): Surroundings {
  return {
    now: world.time.now,
    moment: what => world.agenda.moment(what),
    fate: () => fateOf(world.dice, world.troubles),
    queryFate: count => queryFateOf(world.dice, world.troubles, count),
    below: limit => world.dice.below(limit),
    note: text => world.note(text),
    violated: (promise, found) => world.violated(promise, found),
    isNamed: (source, partition, photo) => {
      const place = { source, partition: partition === '*' ? partition : `user:${partition}` }
      return world.records.of(place).names(photo)
    },
    doneTwice: (key, source) => {
      if (!world.records.isForgotten(key)) world.violated('a change is done once', `${source} did ${key} twice`)
    },
  }
}
