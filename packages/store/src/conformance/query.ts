import type { ObjectMap } from '@godwit/protocol'
import type { ReplaceOptions } from '../collections.js'
import { queryLease, type Scene } from './suite.js'

/** Yields the parts of a query's result; calls functions in between. */
export async function* stream(...parts: readonly (ObjectMap | (() => Promise<unknown>))[]): AsyncGenerator<ObjectMap> {
  for (const part of parts)
    if (typeof part === 'function') await part()
    else yield part
}

export interface QueryUnderTest {
  readonly options: ReplaceOptions
  readonly end: (
    ...parts: readonly (ObjectMap | (() => Promise<unknown>))[]
  ) => ReturnType<Scene['store']['collections']['replace']>
}

/** Begins a query like the server: lease, then head. `end` passes its result to `replace`. */
export async function beginQuery(scene: Scene, more: Partial<ReplaceOptions> = {}): Promise<QueryUnderTest> {
  const lease = await queryLease(scene)
  const {
    epoch,
    version,
    queriesRequested,
    nextQuery: nextQueryBefore,
  } = await scene.store.collections.open(scene.collection)
  const begun = { epoch, fence: lease.fence, since: version, queriesRequested, nextQueryBefore }
  const options = { ...begun, maxRemovedShare: 0.5, ...more }
  const end: QueryUnderTest['end'] = async (...parts) => {
    const result = await scene.store.collections.replace(scene.collection, stream(...parts), options)
    await scene.store.leases.release(lease)
    return result
  }
  return { options, end }
}

/** Objects with these numbers and equal attributes. */
export const equalObjects = (from: number, to: number, attributes = {}): ObjectMap =>
  Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`id ${from + index}`, attributes]))
