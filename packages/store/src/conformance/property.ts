import type { Property } from './check.js'
import type { Suite } from './suite.js'

/**
 * Registers a test of a property over random input; a failure prints the `SEED=<seed>:<path>` that replays it. Loads fast-check, an optional peer,
 * only when the test runs.
 */
export function property<Input>(
  { test, runs = 100 }: Pick<Suite, 'test' | 'runs'>,
  name: string,
  load: () => Promise<Property<Input>>,
): void {
  const body = async () => (await import('./check.js')).check(await load(), runs)
  test(name, body, 10_000 + runs * 500)
}

/** Returns true if the planted fault is detected. */
export async function isCaught<Input>(runs: number, faulty: Property<Input>): Promise<boolean> {
  return (await import('./check.js')).fails(faulty, runs)
}
