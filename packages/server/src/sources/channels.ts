import type { CollectionId, Store } from '@godwit/store'

/** Every process hears here what its open event streams may have to tell: `DeviceEvent`s. */
export const DEVICE_CHANNEL = 'devices'

/** Workers listen here for `{ source, partition }` of journals that may be drained. */
export const DRAIN_CHANNEL = 'drain'

/** Pulls that wait for a query of a worker listen here for its `{ source, partition, epoch }`. */
export const QUERIED_CHANNEL = 'queried'

/** A hint about devices: a collection changed, or sessions or clients of a user may have ended. */
export type DeviceEvent =
  | {
      readonly kind: 'change'
      readonly source: string
      readonly partition: string
      /** The client that made the change and has it: it need not be told. */
      readonly by?: string
    }
  | { readonly kind: 'ended'; readonly login: string }

/** Tells connected devices that a collection changed, but for the client that made the change and has it. A hint: losing it costs time, not data. */
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

/**
 * Makes every process check whether the event streams of a user may stay open. Streams also check before each event and at intervals, so a
 * lost hint does no harm.
 */
export const announceEnd = ({ events }: Pick<Store, 'events'>, login: string): Promise<void> =>
  events.publish(DEVICE_CHANNEL, { kind: 'ended', login } satisfies DeviceEvent).catch(() => {})
