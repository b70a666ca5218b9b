const MOST_MILLISECONDS = 120_000

/** Stands in for `@godwit/testing`, which looks for programs. Requirements are cited where the suites run in Node. */
export const verifies = (): void => {}

export async function until(holds: () => boolean | Promise<boolean>, { every = 5 } = {}): Promise<void> {
  const end = Date.now() + MOST_MILLISECONDS
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`expected this to hold in time: ${holds}`)
    await new Promise(resolve => setTimeout(resolve, every))
  }
}
