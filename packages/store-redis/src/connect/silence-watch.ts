import type { RedisHandle } from '../redis-handle.js'

/** Milliseconds between checks that servers respond. */
const CHECK_INTERVAL = 1_000

/**
 * How many checks a command may stay unanswered before its server counts as hanging. A suspended process misses only one check, regardless of the
 * time.
 */
const MAX_MISSED_CHECKS = 10

/**
 * Pings the primaries of a handle until the returned function is called, and calls `silent` when one does not respond for ten seconds. A network that
 * drops packets breaks no connection, and the system detects it only after 15 minutes.
 */
export function watchForSilence(handle: Pick<RedisHandle, 'primaries'>, silent: () => void): () => void {
  let looks = 0
  let isAsking = false
  const ask = async (): Promise<void> => {
    isAsking = true
    // A refusal is a response, too; broken connections are handled elsewhere.
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
