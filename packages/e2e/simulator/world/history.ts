import { type ActionName, THEMES, WEIGHTS } from '../actions/weights.js'
import { Dice } from './dice.js'
import { featureScenarios, isFeature } from './feature-scenarios.js'
import { type Feature, type Plan, planOf, type Scenario, type Theme } from './plan.js'
import { SCENARIOS, scenarios } from './scenarios.js'
import { withQueues, withTheme } from './themes.js'

/** An action or a fault. `salt` seeds the choices within the step, so that it does the same when earlier steps are left out. */
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
/** Additional steps for a scenario. */
const EXTRA_STEPS = 20

interface HistoryChoices {
  /** Uses this plan. */
  readonly about?: Scenario | Feature | undefined
  /** Replaces the store drawn by the seed. */
  readonly store?: Plan['store'] | undefined
}

/** Returns the history of a seed, with the given choices. */
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

/** Of four thousand histories, two thousand use queues, and a quarter of each half has themes of rare events. */
function planFor(seed: number, drawn: Plan): Plan {
  const theme = RARE_THEMES[seed % RARE_THEMES.length]
  const meant = seed % 2000 > 1500 && theme ? withTheme(drawn, theme) : drawn
  return seed % 4000 > 2000 ? withQueues(meant) : meant
}

/** Scenarios have dice separate from those of the plan. */
const planAbout = (about: Scenario | Feature, seed: number, drawn: Plan): Plan =>
  isFeature(about) ? featureScenarios[about](drawn, new Dice(seed ^ 0x5ce7a)) : scenarios[about](drawn)

/** Of four thousand histories, those from this number to 2400 have special plans. */
function scenarioOf(seed: number): Scenario | undefined {
  return SCENARIOS[Math.floor(((seed % 4000) - FIRST_SCENARIO_SEED) / HISTORIES_PER_SCENARIO)]
}

const HISTORIES_PER_SCENARIO = 10
const FIRST_SCENARIO_SEED = 2401 - SCENARIOS.length * HISTORIES_PER_SCENARIO
