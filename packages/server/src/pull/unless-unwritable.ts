import type { Engine } from '../engine.js'
import { isUnavailable } from '../store-health.js'

/** Does what a pull needs the store to write for; undefined where it takes no write, as on a full disk: what is there is read all the same. */
export async function unlessUnwritable<Result>(
  { log }: Pick<Engine, 'log'>,
  source: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!isUnavailable(error)) throw error
    log.warn({ source, error: error.message }, 'the store takes no writes: a pull was answered with what is there')
    return undefined
  }
}
