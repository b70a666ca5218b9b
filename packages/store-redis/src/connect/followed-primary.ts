import { setTimeout as pause } from 'node:timers/promises'
import { SyncError } from '@godwit/protocol'
import type { RedisAddress } from '../address.js'
import { closedError } from '../failure.js'
import { inTime } from '../in-time.js'
import type { RedisHandle } from '../redis-handle.js'
import { CONNECT_TIMEOUT, pauseAfter } from './node-options.js'
import { PATIENCE } from './patience.js'
import { type Node, Sentinels } from './sentinels.js'
import { connectSingle } from './single.js'

interface Subscription {
  readonly channel: string
  readonly heard: (message: string) => void
  readonly lost: () => void
  end: () => Promise<void>
}

/**
 * A connection to one server after the other. What was sent to one is never sent to the next: the library's own client for sentinels does that, and then
 * what is not idempotent may be done twice.
 */
export class FollowedPrimary {
  readonly #address: RedisAddress
  readonly #sentinels: Sentinels
  readonly #subscriptions = new Set<Subscription>()
  #present: { readonly node: Node; readonly handle: RedisHandle } | undefined
  #following: Promise<RedisHandle> | undefined
  /** Since the sentinels were asked. */
  #hasChanged = false
  #isClosed = false

  constructor(address: RedisAddress) {
    this.#address = address
    this.#sentinels = new Sentinels(address, () => this.#change())
  }

  /** Within seconds, in which another server may just be taking over; or what was wrong last. */
  async first(): Promise<void> {
    await this.#follow(Date.now() + CONNECT_TIMEOUT)
  }

  /** What comes while there is no primary waits for the next one. */
  use<Result>(work: (handle: RedisHandle) => Promise<Result>): Promise<Result> {
    return this.#present ? work(this.#present.handle) : inTime(this.#follow(), PATIENCE).then(work)
  }

  async subscribe(channel: string, heard: (message: string) => void, lost: () => void): Promise<() => Promise<void>> {
    const end = await this.use(({ subscribe }) => subscribe(channel, heard, lost))
    const subscription = { channel, heard, lost, end }
    this.#subscriptions.add(subscription)
    return async () => {
      this.#subscriptions.delete(subscription)
      await subscription.end()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#sentinels.destroy()
    await this.#present?.handle.close()
  }

  destroy(): void {
    this.#isClosed = true
    this.#sentinels.destroy()
    this.#letGo()
  }

  #change(): void {
    this.#hasChanged = true
    if (!this.#isClosed) void this.#follow().catch(() => undefined)
  }

  #follow(until = Number.POSITIVE_INFINITY): Promise<RedisHandle> {
    this.#following ??= this.#reach(until).finally(() => {
      this.#following = undefined
    })
    return this.#following
  }

  async #reach(until: number): Promise<RedisHandle> {
    for (let attempt = 1; !this.#isClosed; attempt++) {
      try {
        this.#hasChanged = false
        const handle = await this.#handleOf(await this.#sentinels.primary())
        if (!this.#hasChanged) return handle
      } catch (error) {
        if (Date.now() >= until) throw error
        await pause(pauseAfter(attempt), undefined, { ref: false })
      }
    }
    throw closedError()
  }

  async #handleOf(node: Node): Promise<RedisHandle> {
    if (this.#present?.node.host === node.host && this.#present.node.port === node.port) return this.#present.handle
    this.#letGo()
    let isLost = false
    const handle = await connectSingle({ ...this.#address, nodes: [node] }, () => {
      isLost = true
      if (this.#present?.handle !== handle) return
      this.#letGo()
      this.#change()
    })
    try {
      await inTime(this.#prepare(handle), CONNECT_TIMEOUT)
      if (isLost) throw new SyncError('store_unavailable', 'The primary broke the connection at once.')
      if (this.#isClosed) throw closedError()
    } catch (error) {
      handle.destroy()
      throw error
    }
    this.#present = { node, handle }
    for (const { lost } of this.#subscriptions) lost()
    return handle
  }

  async #prepare(handle: RedisHandle): Promise<void> {
    await assertPrimary(handle)
    for (const one of this.#subscriptions) {
      const end = await handle.subscribe(one.channel, one.heard, one.lost)
      if (this.#subscriptions.has(one)) one.end = end
      else await end()
    }
  }

  /** Whatever is under way on it rejects. */
  #letGo(): void {
    for (const subscription of this.#subscriptions) subscription.end = async () => undefined
    this.#present?.handle.destroy()
    this.#present = undefined
  }
}

/** Sentinels name a server until they agree that it is gone, and one that is to become the primary before it is. */
async function assertPrimary(handle: RedisHandle): Promise<void> {
  const [role] = (await handle.send('', ['ROLE'])) as readonly string[]
  if (role !== 'master') throw new SyncError('store_unavailable', 'The server that sentinels name is no primary yet.')
}
