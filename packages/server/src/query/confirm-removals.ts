import type { CollectionId } from '@godwit/store'
import type { Engine } from '../engine.js'
import { pendingPages } from '../sources/collections-of.js'
import { findCollection } from '../sources/partition-of.js'
import { findUser } from '../users/user-record.js'
import { queryIfDue } from './request-query.js'
import { isTimeOver } from './schedule.js'

/** How many partitions of a source are queried at once. */
const TOGETHER = 4

/**
 * Runs the queries that may confirm removals that were held back, once their time has come: devices may stay away. A source whose queries hang delays
 * no other, and is left out until they end.
 */
export class RemovalConfirmations {
  readonly #engine: Engine
  readonly #running = new Set<string>()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async run(): Promise<void> {
    const found = new Map<string, CollectionId[]>()
    for await (const page of pendingPages(this.#engine.store))
      for (const collection of page) {
        if (this.#running.has(collection.source)) continue
        found.set(collection.source, [...(found.get(collection.source) ?? []), collection])
      }
    await Promise.all([...found].map(([source, collections]) => this.#confirmAll(source, collections)))
  }

  async #confirmAll(source: string, collections: CollectionId[]): Promise<void> {
    // Another turn may have begun the source meanwhile.
    if (this.#running.has(source)) return
    this.#running.add(source)
    const work = async (): Promise<void> => {
      for (let one = collections.shift(); one && !this.#engine.stopping.aborted; one = collections.shift())
        await confirm(this.#engine, one)
    }
    await Promise.all(Array.from({ length: TOGETHER }, work)).finally(() => this.#running.delete(source))
  }
}

async function confirm(engine: Engine, collection: CollectionId): Promise<void> {
  const source = engine.sources.find(collection.source)
  const head = await engine.store.collections.head(collection)
  const user = head?.pendingRemovals?.user
  if (source === undefined || head === undefined || user === undefined || !isTimeOver(head)) return
  // The user may be in another partition by now, or gone: pulls of others confirm then.
  if (findCollection(source, user)?.partition !== collection.partition) return
  if ((await findUser(engine.store.registry, user)) === undefined) return
  await queryIfDue(engine, { source, collection, user, parameters: {} }, head)
}
