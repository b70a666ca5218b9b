import type {
  Access,
  ParametersOf,
  RemoteSubscription,
  SubscribeOptions,
  Subscription,
  SubscriptionState,
  TypedModel,
} from '@godwit/model'
import { useEffect, useState } from 'react'
import { optionKey } from './option-key.js'

const WAITING: SubscriptionState = { kind: 'waiting' }
/** Milliseconds between two looks at the state of a partition. */
const LOOK_MS = 1000

/**
 * Subscribes to a partition of a model with `by` while the component is mounted, and for 5 minutes after, or for `keep`. Returns what the partition is
 * doing. Several components may use the same partition.
 */
export function useSubscription<Name, Ms, P extends Access>(
  model: TypedModel<Name, Ms, P>,
  parameters: ParametersOf<Name, Ms>,
  options: SubscribeOptions = {},
): SubscriptionState {
  const key = optionKey([parameters, options])
  const [found, setFound] = useState({ key, state: WAITING })
  // The parameters and options are those of the key.
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal parameters are the same partition
  useEffect(() => {
    const release = hold(model, optionKey(parameters), () => model.subscribe(parameters, { keep: '5m', ...options }))
    return watch(release, state => setFound(before => (isSame(before, key, state) ? before : { key, state })))
  }, [model, key])
  return found.key === key ? found.state : WAITING
}

type AnySubscription = Subscription | RemoteSubscription

interface SharedSubscription {
  readonly subscription: AnySubscription
  count: number
}

const subscriptions = new WeakMap<object, Map<string, SharedSubscription>>()

interface SubscriptionUse {
  readonly subscription: AnySubscription
  readonly end: () => void
}

/** Counts the components that use a partition: the last one unsubscribes. */
function hold(model: object, key: string, subscribe: () => AnySubscription): SubscriptionUse {
  const all = subscriptions.get(model) ?? new Map<string, SharedSubscription>()
  subscriptions.set(model, all)
  const one = all.get(key) ?? { subscription: subscribe(), count: 0 }
  one.count++
  all.set(key, one)
  const end = (): void => {
    if (--one.count > 0) return
    all.delete(key)
    void Promise.resolve(one.subscription.unsubscribe()).catch(() => {})
  }
  return { subscription: one.subscription, end }
}

/** Reports the state of a subscription until the result is called, which ends it. */
function watch({ subscription, end }: SubscriptionUse, report: (state: SubscriptionState) => void): () => void {
  let isOver = false
  const look = async (): Promise<void> => {
    const state = await stateOf(subscription)
    if (!isOver) report(state)
  }
  const lookSafely = () => void look().catch(() => {})
  lookSafely()
  const timer = setInterval(lookSafely, LOOK_MS)
  return () => {
    isOver = true
    clearInterval(timer)
    end()
  }
}

const stateOf = async ({ state }: AnySubscription): Promise<SubscriptionState> =>
  typeof state === 'function' ? state() : state

const isSame = (before: { readonly key: string; readonly state: object }, key: string, state: object): boolean =>
  before.key === key && JSON.stringify(before.state) === JSON.stringify(state)
