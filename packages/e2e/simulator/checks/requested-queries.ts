import type { Store } from '@godwit/store'

/** The part of a world that determines which queries may run. */
export interface PolledWorld {
  /** Poll intervals changed by an administrator, by source; undefined while processes may differ. */
  readonly intervals: ReadonlyMap<string, number | undefined>
  readonly servers: { readonly retrying: Pick<Store, 'collections'> }
  readonly violated: (promise: string, found: string) => void
}

/** Checks that a source without polling is queried only on request. */
export async function checkOnlyRequestedQueries(
  { intervals, servers, violated }: PolledWorld,
  source: string,
  partition: string,
): Promise<void> {
  if (intervals.get(source) !== -1) return
  const collection = { source, partition: partition === '*' ? partition : `user:${partition}` }
  const head = await servers.retrying.collections.head(collection)
  if (head === undefined || head.queriesRequested > head.queriesServed) return
  violated('a source that is not polled is left alone', `${source} ${partition} was queried without a request`)
}
