const TEST_TIMEOUT = 120_000

/** Stands in for `@godwit/testing`, which looks for programs. Requirements are cited where the suites run in Node. */
export const verifies = (): void => {}

export async function until(holds: () => boolean | Promise<boolean>, { every = 5 } = {}): Promise<void> {
  const end = Date.now() + TEST_TIMEOUT
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`expected this to hold in time: ${holds}`)
    await new Promise(resolve => setTimeout(resolve, every))
  }
}
