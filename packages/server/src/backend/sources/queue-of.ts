import type { SourceSettings } from '@godwit/source'

/** Returns the queue of the source's queries; null: they run in the pull that finds them due. */
export const queryQueueOf = ({ queryQueue, queue }: Pick<SourceSettings, 'queryQueue' | 'queue'>): string | null =>
  queryQueue ?? queue

/**
 * Returns the queue of creates, updates and deletes; null: they run in the push. A pass-through source has none, since its journal has no content for
 * a worker.
 */
export const cudQueueOf = ({
  passThrough,
  cudQueue,
  queue,
}: Pick<SourceSettings, 'passThrough' | 'cudQueue' | 'queue'>): string | null =>
  passThrough ? null : (cudQueue ?? queue)
