import type { OpenModel } from '../database/open-models.js'
import type { Timers } from '../platform/timers.js'
import { subscriptionState } from './subscription-list.js'

/** What waiting for a copy needs. */
export interface ReadyParts {
  readonly model: OpenModel
  readonly partition: string
  /** Syncs the model; rejects if that fails. */
  readonly sync: () => Promise<unknown>
  readonly timers: Timers
  /** Milliseconds. */
  readonly timeout: number
}

/** Milliseconds between two syncs while the server's first query of a partition runs, or while it is out of reach. */
const PAUSE_MS = 1000

/**
 * Resolves to true once the copy has everything that the server had at the call: when a sync that began after it has completed the copy. False after
 * the time-out, or if the server refuses the partition.
 */
export async function whenReady({ model, partition, sync, timers, timeout }: ReadyParts): Promise<boolean> {
  let isOver = false
  const over = new Promise<false>(resolve => {
    timers.set(() => {
      isOver = true
      resolve(false)
    }, timeout)
  })
  const pause = () => new Promise<void>(resolve => void timers.set(resolve, PAUSE_MS))
  const complete = async (): Promise<boolean> => {
    while (!isOver) {
      const isSynced = await sync().then(
        () => true,
        () => false,
      )
      const { kind } = subscriptionState(model, partition, true)
      if (kind === 'refused') return false
      if (isSynced && kind === 'live') return true
      await Promise.race([pause(), over])
    }
    return false
  }
  return Promise.race([complete(), over])
}
