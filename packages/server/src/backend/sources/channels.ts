import type { CollectionId, Store } from '@godwit/store'

/** The channel of `DeviceEvent`s, which every process subscribes to for its event streams. */
export const DEVICE_CHANNEL = 'devices'

/** The channel of hints `{ source, partition }` for workers: a journal may be drained. */
export const DRAIN_CHANNEL = 'drain'

/** The channel of hints `{ source, partition, epoch }` for pulls that wait for a worker's query. */
export const QUERIED_CHANNEL = 'queried'

/** A hint for devices: a collection changed, or a user's sessions or clients may have ended. */
export type DeviceEvent =
  | {
      readonly kind: 'change'
      readonly source: string
      readonly partition: string
      /** The client that made the change, which is not notified. */
      readonly by?: string
    }
  | { readonly kind: 'ended'; readonly login: string }
  /** What is remembered of the user's access is void. `isAnnounced`: devices ask for the list of their partitions again. */
  | { readonly kind: 'access'; readonly login: string; readonly isAnnounced: boolean }
  /** A client pulls partitions that it did not pull before. */
  | {
      readonly kind: 'wanted'
      readonly login: string
      readonly client: string
      readonly collections: readonly WantedCollection[]
    }

/** A collection of a source with `by`, as text. */
type WantedCollection = readonly [source: string, partition: string]

/** Voids what processes remember of a user's access. A lost hint costs `limits.allowCache` seconds. */
export const announceAccess = (
  { events }: Pick<Store, 'events'>,
  login: string,
  { isAnnounced }: { readonly isAnnounced: boolean },
): Promise<void> => events.publish(DEVICE_CHANNEL, { kind: 'access', login, isAnnounced } satisfies DeviceEvent)

/** Tells processes with event streams of a client which partitions it holds now. A lost hint costs time, not data. */
export const announceWanted = (
  { events }: Pick<Store, 'events'>,
  { login, client }: { readonly login: string; readonly client: string },
  collections: readonly CollectionId[],
): Promise<void> =>
  events
    .publish(DEVICE_CHANNEL, {
      kind: 'wanted',
      login,
      client,
      collections: collections.map(({ source, partition }) => [source, partition] as const),
    } satisfies DeviceEvent)
    .catch(() => {})

/** Notifies connected devices of a change, except the client that made it. A lost hint costs time, not data. */
export const announceChange = (
  { events }: Pick<Store, 'events'>,
  { source, partition }: CollectionId,
  by?: string,
): Promise<void> =>
  events.publish(DEVICE_CHANNEL, {
    kind: 'change',
    source,
    partition,
    ...(by !== undefined && { by }),
  } satisfies DeviceEvent)

/** Makes every process re-check the event streams of a user. Streams also check before each event and at intervals, so a lost hint does no harm. */
export const announceEnd = ({ events }: Pick<Store, 'events'>, login: string): Promise<void> =>
  events.publish(DEVICE_CHANNEL, { kind: 'ended', login } satisfies DeviceEvent).catch(() => {})
