import { amount, tier, turn } from '@godwit/testing'

/** Seeds repeat their kinds of plans in cycles (`world/history.ts`). */
const CYCLE = 4000
/** Milliseconds of a day: each night has other cycles. */
const DAY = 86_400_000
/** Cycles of a night, above those that turns reach. */
const PER_NIGHT = 25
const FIRST_NIGHT_CYCLE = 10_000

/** Histories to run. */
export interface SeedRange {
  readonly first: number
  readonly histories: number
}

/**
 * Returns the seeds of this run for a kind of plan that begins at `from` in each cycle. Each turn has another cycle, so that no two commits have a
 * seed in common; each night has 25.
 */
export function seedsOfTurn(from: number, histories: number): readonly SeedRange[] {
  if (tier !== 'night') return [{ first: turn * CYCLE + from, histories }]
  const night = FIRST_NIGHT_CYCLE + Math.floor(Date.now() / DAY) * PER_NIGHT
  return Array.from({ length: PER_NIGHT }, (_, at) => ({ first: (night + at) * CYCLE + from, histories }))
}

/** Returns the seeds of this run for a scenario, whose histories are all of one kind. */
export function seedsOfScenario(): SeedRange {
  const histories = amount({ deep: 5, night: 2000 })
  const runs = tier === 'night' ? Math.floor(Date.now() / DAY) : turn
  return { first: runs * histories + 1, histories }
}
