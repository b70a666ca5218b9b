/** Resolves as the work does, or rejects with what `late` makes after the given milliseconds. The work itself continues. */
export async function inTime<Result>(work: Promise<Result>, milliseconds: number, late: () => Error): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds)
  })
  return Promise.race([work, over]).finally(() => clearTimeout(timer))
}

/** Waits for the work to end, but no longer than the given milliseconds: then it continues by itself. */
export async function within(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<void>(resolve => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work, over]).finally(() => clearTimeout(timer))
}
