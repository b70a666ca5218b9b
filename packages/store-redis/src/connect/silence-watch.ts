import type { RedisHandle } from '../redis-handle.js'

/** How often is looked whether servers still answer, in milliseconds. */
const CHECK_INTERVAL = 1_000

/** How many checks after an unanswered command a server counts as hanging. A process that slept misses one check, however long it slept. */
const MAX_MISSED_CHECKS = 10

/**
 * Asks the primaries of a handle again and again, and tells when one of them says nothing for ten seconds: a network that swallows everything breaks no
 * connection, and the system gives one up after a quarter of an hour. The end of it is what is returned.
 */
export function watchForSilence(handle: Pick<RedisHandle, 'primaries'>, silent: () => void): () => void {
  let looks = 0
  let isAsking = false
  const ask = async (): Promise<void> => {
    isAsking = true
    // One that refuses answers as well; one whose connection broke is looked for by others.
    await pingAll(handle).catch(() => undefined)
    isAsking = false
    looks = 0
  }
  const timer = setInterval(() => {
    if (!isAsking) void ask()
    else if (++looks === MAX_MISSED_CHECKS) silent()
  }, CHECK_INTERVAL).unref()
  return () => clearInterval(timer)
}

const pingAll = async ({ primaries }: Pick<RedisHandle, 'primaries'>): Promise<unknown> =>
  Promise.allSettled((await primaries()).map(primary => primary(['PING'])))
