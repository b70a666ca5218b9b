import type { Source } from '@godwit/source'

/** True if the source can be read: by `query`, by `changes`, or both. Only pushes fill others. */
export const isReadable = ({ methods }: Pick<Source, 'methods'>): boolean =>
  methods.query !== undefined || methods.changes !== undefined

/** The settings that say when a source is read. */
export type ReadSettings = Pick<Source, 'pollInterval'> & Partial<Pick<Source, 'feed' | 'reconcileInterval'>>

/** Seconds between readings of a partition; not positive: only on request. A source with a feed is read again to repair it. */
export const readInterval = ({ feed, pollInterval, reconcileInterval = -1 }: ReadSettings): number =>
  feed !== undefined && pollInterval <= 0 ? reconcileInterval : pollInterval
