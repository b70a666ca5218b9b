import { type ActionName, THEMES, WEIGHTS } from '../actions/weights.js'
import { Dice } from './dice.js'
import { featureScenarios, isFeature } from './feature-scenarios.js'
import { type Feature, type Plan, planOf, type Scenario, type Theme } from './plan.js'
import { SCENARIOS, scenarios } from './scenarios.js'
import { withQueues, withTheme } from './themes.js'

/** An action or a fault. `salt` seeds the step's random choices, so that they do not depend on earlier steps when a history is shortened. */
export interface HistoryStep {
  readonly do: ActionName
  readonly salt: number
}

/** A history as data: it can be printed, repeated and shortened. */
export interface History {
  readonly seed: number
  readonly plan: Plan
  readonly steps: readonly HistoryStep[]
}

const RARE_THEMES: readonly Theme[] = ['conflicts', 'floors', 'processes', 'late']

const MIN_STEPS = 8
const MAX_STEPS = 45
/** Number of steps that scenarios have in addition. */
const EXTRA_STEPS = 20

interface HistoryChoices {
  /** The scenario or feature of the plan. Default: chosen by the seed. */
  readonly about?: Scenario | Feature | undefined
  /** The store to use instead of the one drawn by the seed. */
  readonly store?: Plan['store'] | undefined
}

/** Returns the history of a seed; choices override what the seed draws. */
export function historyOf(seed: number, { about = scenarioOf(seed), store }: HistoryChoices = {}): History {
  const dice = new Dice(seed)
  const drawn = planOf(dice)
  const meant = about ? planAbout(about, seed, drawn) : planFor(seed, drawn)
  const plan = store ? { ...meant, store } : meant
  const length = dice.between(MIN_STEPS, MAX_STEPS) + (about ? EXTRA_STEPS : 0)
  const steps = Array.from({ length }, () => ({
    do: dice.weighted({ ...WEIGHTS, ...THEMES[plan.theme] }),
    salt: dice.below(0x7fffffff),
  }))
  return { seed, plan, steps }
}

/** In each cycle of 4,000 seeds, the second half uses queues, and the last quarter of each half has themes of rare events. */
function planFor(seed: number, drawn: Plan): Plan {
  const theme = RARE_THEMES[seed % RARE_THEMES.length]
  const meant = seed % 2000 > 1500 && theme ? withTheme(drawn, theme) : drawn
  return seed % 4000 > 2000 ? withQueues(meant) : meant
}

/** Returns the plan of a scenario; feature scenarios draw from dice separate from those of the plan. */
const planAbout = (about: Scenario | Feature, seed: number, drawn: Plan): Plan =>
  isFeature(about) ? featureScenarios[about](drawn, new Dice(seed ^ 0x5ce7a)) : scenarios[about](drawn)

/** Returns the scenario of a seed: in each cycle of 4,000, the seeds from `FIRST_SCENARIO_SEED` to 2400 have one. */
function scenarioOf(seed: number): Scenario | undefined {
  return SCENARIOS[Math.floor(((seed % 4000) - FIRST_SCENARIO_SEED) / HISTORIES_PER_SCENARIO)]
}

const HISTORIES_PER_SCENARIO = 10
const FIRST_SCENARIO_SEED = 2401 - SCENARIOS.length * HISTORIES_PER_SCENARIO
