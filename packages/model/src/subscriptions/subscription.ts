import type { PartitionParameters } from '@godwit/protocol'
import type { SubscribeOptions } from './subscribe.js'
import type { SubscriptionState } from './subscription-list.js'

/** A partition that the app wants. It survives restarts; the object is only a handle. */
export interface Subscription {
  /** What the partition is doing now. */
  readonly state: SubscriptionState
  /**
   * Resolves to true once the device has everything that the server had at the call. False at the time-out, in milliseconds, for example while
   * offline, and if the server refuses the partition. Default: 10 seconds.
   */
  ready(options?: { readonly timeout?: number }): Promise<boolean>
  /** Ends the subscription. Rows go after `keep`, never those with unsent changes. */
  unsubscribe(): void
}

/** A subscription of a device in another thread. */
export interface RemoteSubscription {
  /** Resolves when the subscription is stored. */
  readonly stored: Promise<void>
  /** Returns what the partition is doing now. */
  state(): Promise<SubscriptionState>
  ready(options?: { readonly timeout?: number }): Promise<boolean>
  unsubscribe(): Promise<void>
}

const READY_MS = 10_000

/** What a device does for subscriptions. */
export interface Subscribing {
  /** Stores that the app wants a partition of a model with `by`; the next sync loads it. */
  subscribe(model: string, parameters: PartitionParameters, options?: SubscribeOptions): void
  /** Stores that the app no longer wants a partition. */
  unsubscribe(model: string, parameters: PartitionParameters): void
  /** Returns what a partition is doing. */
  subscriptionState(model: string, parameters: PartitionParameters): SubscriptionState
  /** Resolves to true once the partition has everything that the server had at the call; false after the time-out, in milliseconds. */
  whenReady(model: string, parameters: PartitionParameters, timeout: number): Promise<boolean>
}

/** Subscribes to a partition and returns its handle. */
export function subscriptionOn(
  device: Subscribing,
  model: string,
  parameters: PartitionParameters,
  options?: SubscribeOptions,
): Subscription {
  device.subscribe(model, parameters, options)
  return handleOf(device, model, parameters)
}

/** Returns the handle of a partition without subscribing. */
export function handleOf(device: Subscribing, model: string, parameters: PartitionParameters): Subscription {
  return {
    get state() {
      return device.subscriptionState(model, parameters)
    },
    ready: ({ timeout = READY_MS } = {}) => device.whenReady(model, parameters, timeout),
    unsubscribe: () => device.unsubscribe(model, parameters),
  }
}
