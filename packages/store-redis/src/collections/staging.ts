import type { ObjectId } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import { RemovedIds } from '@godwit/store/history'
import type { RedisConnection } from '../connection.js'
import type { CollectionKey, KeyNames, StagingKey } from '../keys.js'
import { stageRemovalsScript, stageScript } from '../scripts/replace.js'
import { lanesOf } from './arguments.js'

/** How an object of a query result compares: staged (`new`, `other`), `equal`, or the stored text if it differs only in the order of attributes. */
export type ObjectComparison = 'new' | 'other' | 'equal' | string

/** Staged changes and removals of one query, in separate keys beside the collection's. */
export class Staging {
  readonly naming: KeyNames<CollectionKey | StagingKey>
  changes = 0
  readonly removals = new RemovedIds()
  readonly #connection: RedisConnection
  readonly #own: KeyNames<StagingKey>

  constructor(connection: RedisConnection, collection: CollectionId) {
    const of = connection.keys.of(collection)
    this.#connection = connection
    this.#own = connection.keys.staging(collection, connection.randomId())
    this.naming = name => (isStaging(name) ? this.#own(name) : of(name))
  }

  /** Stages the objects that differ. A later text for the same id wins. */
  async put(objects: readonly (readonly [id: ObjectId, text: string])[]) {
    const values = objects.flatMap(([id, text]) => [id, lanesOf(id), text])
    const answer = await this.#connection.run(stageScript, this.naming, values)
    const [version, compared] = answer as readonly [number, readonly ObjectComparison[]]
    this.changes += compared.filter(one => one === 'new' || one === 'other').length
    return { version, compared }
  }

  async remove(ids: readonly ObjectId[]): Promise<void> {
    if (ids.length === 0) return
    await this.#connection.run(
      stageRemovalsScript,
      this.naming,
      ids.map(id => `${lanesOf(id)} ${id}`),
    )
    for (const id of ids) this.removals.add(id)
  }

  async close(): Promise<void> {
    const { command } = this.#connection
    await command.call(this.#connection, this.#own('staged'), 'UNLINK', this.#own('changes'), this.#own('removals'))
  }
}

const isStaging = (name: string): name is StagingKey => name === 'staged' || name === 'changes' || name === 'removals'
