import { Dice } from './dice.js'
import { type Plan, planOf, queued, type Theme, themed } from './plan.js'

/** What somebody does, or what befalls the system. `salt` seeds the choices within the step, so that a step does the same whatever steps went before it are left out. */
export interface Step {
  readonly do: Verb
  readonly salt: number
}

/** A whole story as data: it can be printed, repeated and made shorter. */
export interface History {
  readonly seed: number
  readonly plan: Plan
  readonly steps: readonly Step[]
}

/** How often each thing happens. */
const WEIGHTS = {
  edit: 30,
  sync: 28,
  backend: 14,
  plugin: 4,
  wait: 6,
  longWait: 2,
  killServer: 3,
  killDevice: 5,
  secondProcess: 1.5,
  compact: 2,
  nonce: 1,
  drop: 0.7,
  reset: 0.4,
  backUp: 1.2,
  restore: 1,
  forgetClient: 0.8,
  resetDevice: 0.8,
  switchUser: 1.2,
  migrate: 0.8,
  ask: 1.5,
  operator: 1.5,
}

export type Verb = keyof typeof WEIGHTS

/** What a history is mostly about: rare things meet only where they are not rare. */
const THEMES = {
  everything: {},
  restores: { backUp: 12, restore: 12, backend: 24 },
  floors: { compact: 25, backend: 24 },
  processes: { secondProcess: 22, killDevice: 12 },
  conflicts: { edit: 45, sync: 40, wait: 20, backend: 4 },
  late: { longWait: 12, ask: 12, backend: 30 },
  epochs: { drop: 8, reset: 4, nonce: 4, forgetClient: 6, ask: 5 },
} as const

const RARE: readonly Theme[] = ['conflicts', 'floors', 'processes', 'late']

const SHORTEST = 8
const LONGEST = 45

export function historyOf(seed: number): History {
  const dice = new Dice(seed)
  const drawn = planOf(dice)
  const theme = RARE[seed % RARE.length]
  // A quarter of what is tested, and of any other thousands, is about what meets most rarely.
  const meant = seed % 2000 > 1500 && theme ? themed(drawn, theme) : drawn
  // Two of every four thousands are worked through queues.
  const plan = seed % 4000 > 2000 ? queued(meant) : meant
  const length = dice.between(SHORTEST, LONGEST)
  const steps = Array.from({ length }, () => ({
    do: dice.weighted({ ...WEIGHTS, ...THEMES[plan.theme] }),
    salt: dice.below(0x7fffffff),
  }))
  return { seed, plan, steps }
}
