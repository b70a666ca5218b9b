/** In milliseconds: a timer that is to wait longer does not wait at all. */
export const LONGEST_TIMER = 2 ** 31 - 1

/** Resolves when the work is done, and after so many milliseconds at the latest. The work itself goes on. */
export async function within(work: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>(resolve => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work, over]).finally(() => clearTimeout(timer))
}

/** What is awaited, or after so many milliseconds what `late` makes, thrown. The work itself goes on. */
export async function inTime<T>(work: Promise<T>, milliseconds: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds)
  })
  return Promise.race([work, over]).finally(() => clearTimeout(timer))
}
