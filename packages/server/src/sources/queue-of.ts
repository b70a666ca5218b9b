import type { SourceSettings } from './source.js'

/** The queue of the source's queries; null: they run with the pull that finds them due. */
export const queryQueueOf = ({ queryQueue, queue }: Pick<SourceSettings, 'queryQueue' | 'queue'>): string | null =>
  queryQueue ?? queue

/** The queue of its creates, updates and deletes; null: they run with the push. A journal without content has nothing for a worker: there only the push can run them. */
export const cudQueueOf = ({
  passThrough,
  cudQueue,
  queue,
}: Pick<SourceSettings, 'passThrough' | 'cudQueue' | 'queue'>): string | null =>
  passThrough ? null : (cudQueue ?? queue)
