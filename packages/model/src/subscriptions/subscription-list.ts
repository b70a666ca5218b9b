import type { PartitionParameters } from '@godwit/protocol'
import { isInUse } from '../copies/wanted.js'
import type { OpenModel } from '../database/open-models.js'
import type { StoredCopy } from '../database/tables/copy-table.js'

/** What a subscribed partition is doing. */
export type SubscriptionState =
  /** Nothing of it has arrived yet. */
  | { readonly kind: 'waiting' }
  /** Its first rows arrive: how many have, and how many live rows the server has. */
  | { readonly kind: 'loading'; readonly received: number; readonly total: number }
  /** It had everything that the server had at its last pull. */
  | { readonly kind: 'live' }
  /** The last pull failed or the server is out of reach. `since`: when it was last complete, ISO 8601. */
  | { readonly kind: 'stale'; readonly since: string }
  /** The server refuses it, for example with `partition_not_allowed`. Its rows are removed; the device asks again with each sync. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }

/** A partition that the device wants. */
export interface SubscriptionInfo {
  readonly model: string
  readonly parameters: PartitionParameters
  /** Who asked for it: the server lists it for the user, or the app subscribed, or both. Empty: it is kept for a while after its last use. */
  readonly by: readonly ('server' | 'app')[]
  readonly state: SubscriptionState
  /** Number of displayed rows that it leads. */
  readonly rows: number
  /** About how many bytes their values have. */
  readonly bytes: number
  /** When it was last complete, ISO 8601; '' before that. */
  readonly refreshed: string
}

/** Codes with which a server refuses a partition, and not only for now. */
const REFUSED: readonly string[] = ['partition_not_allowed', 'quota_exceeded', 'value_not_allowed']

/** Returns the partitions that the device wants of a model. */
export const subscriptionsOf = (
  model: OpenModel,
  { now, isOnline }: { readonly now: number; readonly isOnline: boolean },
): readonly SubscriptionInfo[] =>
  model.scope.subscriptions
    .of(model.name)
    .filter(one => isInUse(one, now))
    .map(({ partition, parameters, isListed, isOfApp }) => {
      const copy = model.scope.copies.find(model.name, partition)
      const { rows, bytes } = copy ? model.rows.sizeOf(copy.id) : { rows: 0, bytes: 0 }
      return {
        model: model.name,
        parameters,
        by: [...(isListed ? (['server'] as const) : []), ...(isOfApp ? (['app'] as const) : [])],
        state: stateOf(model, copy, isOnline),
        rows,
        bytes,
        refreshed: copy ? model.scope.copies.state(copy.id).get().refreshed : '',
      }
    })

/** Returns the state of one partition. */
export function subscriptionState(model: OpenModel, partition: string, isOnline: boolean): SubscriptionState {
  return stateOf(model, model.scope.copies.find(model.name, partition), isOnline)
}

function stateOf({ scope, rows }: OpenModel, copy: StoredCopy | undefined, isOnline: boolean): SubscriptionState {
  if (!copy) return { kind: 'waiting' }
  const { refreshed, running, token, total } = scope.copies.state(copy.id).get()
  const { failure } = copy
  if (failure && REFUSED.includes(failure.code)) return { kind: 'refused', ...failure }
  if (refreshed !== '' && (failure || !isOnline)) return { kind: 'stale', since: refreshed }
  if (running) return { kind: 'loading', received: rows.countLedBy(copy.id), total }
  return token !== null && refreshed !== '' ? { kind: 'live' } : { kind: 'waiting' }
}
