import fc, { type Arbitrary } from 'fast-check'

/** Random input with an assertion that must hold for each. */
export type Property<Input> = readonly [Arbitrary<Input>, (input: Input) => Promise<void>]

/** Runs a property with random inputs; the error says how to replay a failure. */
export async function check<Input>([arbitrary, holds]: Property<Input>, runs: number): Promise<void> {
  const details = await fc.check(fc.asyncProperty(arbitrary, holds), { numRuns: runs, ...replayed() })
  if (!details.failed) return
  const replay = `SEED=${details.seed}:${details.counterexamplePath ?? ''}`
  throw new Error(`${replay} replays this.\n${fc.defaultReportMessage(details)}`)
}

/** Returns true if any of a number of random inputs fails. The inputs are the same in every run. */
export async function fails<Input>([arbitrary, holds]: Property<Input>, runs: number): Promise<boolean> {
  const details = await fc.check(fc.asyncProperty(arbitrary, holds), { numRuns: runs, seed: 1, endOnFailure: true })
  return details.failed
}

function replayed(): { seed?: number; path?: string } {
  // biome-ignore lint/style/noProcessEnv: a person who replays a failure has no other way to hand the seed to a test runner.
  const [seed, ...path] = (process.env['SEED'] ?? '').split(':')
  if (!seed) return {}
  return { seed: Number(seed), ...(path.length > 0 && { path: path.join(':') }) }
}
