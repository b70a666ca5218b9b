/** Milliseconds for which a test waits before it gives up, so that one that failed keeps no process alive. */
const PATIENCE = 60_000

/** Waits until something holds, looking at it again and again. Rejects after a minute, with the text of what did not hold. */
export async function until(holds: () => boolean | Promise<boolean>, { every = 5 } = {}): Promise<void> {
  const end = Date.now() + PATIENCE
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`For a minute this did not hold: ${holds}`)
    await new Promise(resolve => setTimeout(resolve, every))
  }
}
