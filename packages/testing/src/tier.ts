/**
 * How much a run of tests does: `fast` what a newcomer waits for, `deep` what every change needs, `night` everything. What is expensive because it is
 * large takes turns in `deep`: each run does a part, and consecutive runs do all parts.
 */
export type Tier = 'fast' | 'deep' | 'night'

/** The tier of this run: `deep` where a file is run by its path. Source: `TEST_TIER`, set by `scripts/test.ts`. */
export const tier = (process.env['TEST_TIER'] ?? 'deep') as Tier

/** The number of this run, by which its parts are chosen: the number of commits divided by four. Source: `TEST_TURN`, set before all tests. */
export const turn = Number(process.env['TEST_TURN'] ?? 0)

/** What decides which part of the tests runs. */
interface Run {
  readonly tier: Tier
  readonly turn: number
}

/**
 * Returns the items of this run: at night all of them, else every `parts`th, so that as many consecutive turns run each once.
 *
 * @example partOf(['memory', 'SQLite', 'Redis'], 3) // one store
 */
export const partOf = <T>(all: readonly T[], parts: number, run: Run = { tier, turn }): readonly T[] =>
  run.tier === 'night' ? all : all.filter((_, at) => (at + run.turn) % parts === 0)

/** Returns the amount for this run: `night` at night, else `deep`. */
export const amount = ({ deep, night }: { readonly deep: number; readonly night: number }): number =>
  tier === 'night' ? night : deep
