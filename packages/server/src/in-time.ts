import { startServerTimer } from './server-timer.js'

/** In milliseconds: a timer that is to wait longer does not wait at all. */
export const LONGEST_TIMER = 2 ** 31 - 1

/** Resolves when the work is done, or after the given milliseconds. The work itself continues. */
export async function within(work: Promise<void>, milliseconds: number, stopping: AbortSignal): Promise<void> {
  let clearTimer: (() => void) | undefined
  const over = new Promise<void>(resolve => {
    clearTimer = startServerTimer(stopping, resolve, milliseconds)
  })
  await Promise.race([work, over]).finally(clearTimer)
}

/** Resolves as the work does, or throws what `late` makes after the given milliseconds. The work itself continues. */
export async function inTime<T>(work: Promise<T>, milliseconds: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds)
  })
  return Promise.race([work, over]).finally(() => clearTimeout(timer))
}
