import type { CollectionId, Store } from '@godwit/store'

/** Devices of a partition listen here for `{ kind: 'change', source }`. */
export const changeChannel = (partition: string): string => `partition:${partition}`

/** Workers listen here for `{ source, partition }` of journals that may be drained. */
export const DRAIN_CHANNEL = 'drain'

/** Tells connected devices that a collection changed. A hint: losing it costs time, not data. */
export const announceChange = ({ events }: Pick<Store, 'events'>, { source, partition }: CollectionId): Promise<void> =>
  events.publish(changeChannel(partition), { kind: 'change', source })
