import { SyncError } from '@godwit/protocol'
import type { RedisHandle } from '../redis-handle.js'

interface Subscription {
  readonly channel: string
  readonly heard: (message: string) => void
  readonly lost: () => void
  end: () => Promise<void>
}

type Unsubscribes = ReadonlyMap<Subscription, () => Promise<void>>

const CLOSED = async (): Promise<void> => undefined

/** Subscriptions that survive the replacement of their connection. */
export class Subscriptions {
  readonly #subscriptions = new Set<Subscription>()

  async add(handle: RedisHandle, channel: string, heard: (message: string) => void, lost: () => void) {
    const subscription = { channel, heard, lost, end: await handle.subscribe(channel, heard, lost) }
    this.#subscriptions.add(subscription)
    return async () => {
      this.#subscriptions.delete(subscription)
      await subscription.end()
    }
  }

  /** Subscribes to all channels on another connection. Returns the functions that unsubscribe. */
  async on(handle: RedisHandle): Promise<Unsubscribes> {
    const ends = new Map<Subscription, () => Promise<void>>()
    for (const one of this.#subscriptions) ends.set(one, await handle.subscribe(one.channel, one.heard, one.lost))
    return ends
  }

  /** Call this when the former connection is closed. */
  end(): void {
    for (const one of this.#subscriptions) one.end = CLOSED
  }

  /** Switches all subscriptions to the new connection. Throws if one was added meanwhile and is not on it. */
  move(ends: Unsubscribes): void {
    if ([...this.#subscriptions].some(one => !ends.has(one)))
      throw new SyncError('store_unavailable', 'The connection changed during a subscription. Try again.', {
        retryable: true,
      })
    for (const [one, end] of ends) {
      if (this.#subscriptions.has(one)) one.end = end
      else void end().catch(() => undefined)
    }
  }

  /** Tells all subscribers that messages may have been missed. */
  notifyLost(): void {
    for (const { lost } of this.#subscriptions) lost()
  }
}
