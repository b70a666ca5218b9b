interface UntilOptions {
  /** Milliseconds between two looks. */
  readonly every?: number
  /** Milliseconds after which it gives up, so that a test that failed keeps no process alive. */
  readonly within?: number
}

/** Waits until something holds, looking at it again and again. Rejects after a minute, or the time given, with the text of what did not hold. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  { every = 5, within = 60_000 }: UntilOptions = {},
): Promise<void> {
  const end = Date.now() + within
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`For ${within / 1000} seconds this did not hold: ${holds}`)
    await new Promise(resolve => setTimeout(resolve, every))
  }
}
