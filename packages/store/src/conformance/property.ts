import fc from 'fast-check'
import type { Suite } from './suite.js'

/**
 * A property over random input. A failure prints what replays it: `SEED=<seed>:<path>` in the environment.
 * The time it may take grows with the runs.
 */
export function property<Input>(
  suite: Pick<Suite, 'test' | 'runs'>,
  name: string,
  [arbitrary, holds]: readonly [fc.Arbitrary<Input>, (input: Input) => Promise<void>],
): void {
  const runs = suite.runs ?? 100
  suite.test(
    name,
    async () => {
      const details = await fc.check(fc.asyncProperty(arbitrary, holds), { numRuns: runs, ...replayed() })
      if (!details.failed) return
      const replay = `SEED=${details.seed}:${details.counterexamplePath ?? ''}`
      throw new Error(`${replay} replays this.\n${fc.defaultReportMessage(details)}`)
    },
    10_000 + runs * 500,
  )
}

/** Whether any of so many random inputs fails: a planted fault must. */
export async function isCaught<Input>(
  inputs: number,
  [arbitrary, holds]: readonly [fc.Arbitrary<Input>, (input: Input) => Promise<void>],
): Promise<boolean> {
  const details = await fc.check(fc.asyncProperty(arbitrary, holds), { numRuns: inputs, seed: 1, endOnFailure: true })
  return details.failed
}

function replayed(): { seed?: number; path?: string } {
  // biome-ignore lint/style/noProcessEnv: whoever replays a failure has no other way to hand the seed to a test runner.
  const [seed, ...path] = (process.env['SEED'] ?? '').split(':')
  if (!seed) return {}
  return { seed: Number(seed), ...(path.length > 0 && { path: path.join(':') }) }
}
