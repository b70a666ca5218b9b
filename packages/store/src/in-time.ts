/** Resolves with the result of the work, or rejects with the error from `late` after this number of milliseconds. The work itself continues. */
export async function inTime<Result>(work: Promise<Result>, milliseconds: number, late: () => Error): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds)
  })
  return Promise.race([work, over]).finally(() => clearTimeout(timer))
}

/** Waits for the work, at most for this number of milliseconds; the work itself continues. */
export async function within(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<void>(resolve => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work, over]).finally(() => clearTimeout(timer))
}
