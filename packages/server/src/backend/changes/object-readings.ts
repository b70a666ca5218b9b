import type { ObjectId } from '@godwit/protocol'
import { messageOf, type Source } from '@godwit/source'
import type { CollectionId, Head } from '@godwit/store'
import type { BackendEngine, ObjectReader } from '../backend-engine.js'
import { announceChange } from '../sources/channels.js'
import { applyReported } from './apply-reported.js'
import { getObjects, type ReadTarget } from './get-objects.js'
import type { UnknownEffect } from './unknown-effect.js'

/** The requests of one partition, by the number that they have in its head, with the objects that they are about. */
interface Requests extends ReadTarget {
  readonly numbers: Map<number, ObjectId>
  running: Promise<void> | undefined
}

/** A due time that no head has: the end of such a reading leaves the time of the next query as it is. */
const NO_TIME = -1

/**
 * Serves requests for queries by the source's `get`, where this process knows which objects each of them is about: a mutation in doubt, discarded or
 * settled by an operator, or one that spared what the backend sent meanwhile. What cannot be served so, also after a crash, stays due, and a query of the
 * whole partition serves it.
 */
export class ObjectReadings implements ObjectReader {
  readonly #requests = new Map<string, Requests>()

  /** Begins to read the object of a mutation. `queryRequest`: the number of the request that was made for it; undefined: none was. */
  serve(engine: BackendEngine, effect: UnknownEffect, queryRequest: number | undefined): void {
    const { source, entry } = effect
    const object = objectOf(effect)
    if (queryRequest === undefined || object === undefined || source === undefined || !mayReadObjects(source)) return
    const { collection, user } = entry
    const key = keyOf(collection)
    const requests = this.#requests.get(key) ?? { source, collection, user, numbers: new Map(), running: undefined }
    this.#requests.set(key, requests)
    requests.numbers.set(queryRequest, object)
    requests.running ??= this.#run(engine, requests)
      .catch(error =>
        engine.log.warn({ source: source.name, error: messageOf(error) }, 'objects could not be read again'),
      )
      .finally(() => this.#requests.delete(key))
  }

  /** Returns the end of the readings of a partition; undefined if there are none. */
  running(collection: CollectionId): Promise<void> | undefined {
    return this.#requests.get(keyOf(collection))?.running
  }

  /** Reads until no request is open. Ends at one that this process does not know, since its query serves all of them. */
  async #run(engine: BackendEngine, requests: Requests): Promise<void> {
    const { collections } = engine.store
    for (;;) {
      // Settlements of one step are announced one after the other: what follows in this turn is read with them.
      await new Promise(resolve => setImmediate(resolve))
      const head = await collections.head(requests.collection)
      if (head === undefined || !mayServe(head, requests.numbers)) return
      for (const number of requests.numbers.keys()) if (number <= head.queriesServed) requests.numbers.delete(number)
      if (requests.numbers.size === 0) return
      if (!(await readObjects(engine, requests, head))) return
    }
  }
}

/** A backend that shows writes late is read by the query after that time; of pass-through objects the store has nothing to compare. */
export const mayReadObjects = ({ methods, settle, passThrough }: Source): boolean =>
  methods.get !== undefined && settle === 0 && !passThrough

const keyOf = ({ source, partition }: CollectionId): string => JSON.stringify([source, partition])

/** The id of a created object is temporary until the backend has said it, and only a query shows what else a repeated create made. */
function objectOf({ source, entry: { mutation }, created }: UnknownEffect): ObjectId | undefined {
  if (mutation.operation !== 'create') return mutation.object
  return source?.idempotent ? created : undefined
}

/** True if all open requests are known, and the partition was read as a whole and without an error. */
function mayServe(head: Head, numbers: ReadonlyMap<number, ObjectId>): boolean {
  if (head.queriedAt === undefined || head.sourceError !== undefined) return false
  for (let number = head.queriesServed + 1; number <= head.queriesRequested; number++)
    if (!numbers.has(number)) return false
  return true
}

/** Reads the objects of all open requests, and records that these are served. Returns false if they stay due. */
async function readObjects(engine: BackendEngine, requests: Requests, head: Head): Promise<boolean> {
  const { collection, numbers } = requests
  const { queriesRequested, epoch, version } = head
  const ids = [...new Set(numbers.values())]
  const found = await getObjects(engine, requests, ids)
  if (found === undefined) return false
  const target = { ...requests, epoch, reader: 'get', fence: 0, since: version }
  const applied = await applyReported(engine, target, found)
  if ('refused' in applied) return false
  if (applied.changed > 0) await announceChange(engine.store, collection)
  if (applied.spared.length > 0) return false
  const end = { queriesRequested, nextQueryBefore: NO_TIME }
  const ended = await engine.store.collections.advance(
    collection,
    {},
    { epoch, reader: 'get', fence: 0, since: applied.version, end },
  )
  return !('refused' in ended)
}
