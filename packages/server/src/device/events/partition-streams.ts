import type { JsonValue } from '@godwit/protocol'
import { messageOf, type Source } from '@godwit/source'
import type { CollectionId } from '@godwit/store'
import { clientOf, collectionsOfClient } from '../../accounts/users/client-record.js'
import { type AccessEngine, isAllowed, listedPartitions } from '../../backend/partitions/access.js'
import { byPartition, parametersOfPartition } from '../../backend/sources/partition-of.js'
import type { DeviceEngine } from '../device-engine.js'
import type { EventStream, StreamOwner } from './event-stream.js'
import type { HeadReader } from './head-reader.js'
import { WantedPartitions } from './wanted-partitions.js'

type PartitionEngine = AccessEngine & Pick<DeviceEngine, 'sources'>

/** Partitions of sources with `by` that clients with event streams hold: whom to tell of a change, as long as the user may see the partition. */
export class PartitionStreams {
  readonly #engine: PartitionEngine
  readonly #heads: HeadReader
  readonly #wanted = new WantedPartitions()

  constructor(engine: PartitionEngine, heads: HeadReader) {
    this.#engine = engine
    this.#heads = heads
  }

  /** Adds partitions that a client with an open stream holds. */
  add(client: string, collections: readonly CollectionId[]): void {
    this.#wanted.add(client, collections)
  }

  /** Forgets a client whose last stream ended. */
  forget(client: string): void {
    this.#wanted.forget(client)
  }

  /** Returns those of the streams whose clients hold the partition. */
  listeners(collection: CollectionId, streams: readonly EventStream[]): readonly EventStream[] {
    const clients = this.#wanted.clientsOf(collection)
    return clients.size === 0 ? [] : streams.filter(({ listener }) => clients.has(listener.client))
  }

  /** Returns those of the streams whose users may see the partition now. A source that does not answer hides it; the next check event tells of it. */
  async permitted(
    source: Source,
    { partition }: CollectionId,
    streams: readonly EventStream[],
  ): Promise<readonly EventStream[]> {
    const parameters = parametersOfPartition(partition)
    if (parameters === undefined) return streams
    const logins = [...new Set(streams.map(({ listener }) => listener.login))]
    const judge = (user: string) =>
      isAllowed(this.#engine, source, { user, parameters }).catch(error => {
        this.#engine.log.debug({ source: source.name, error: messageOf(error) }, 'could not judge an event')
        return false
      })
    const verdicts = await Promise.all(logins.map(judge))
    const allowed = new Set(logins.filter((_, index) => verdicts[index]))
    return streams.filter(({ listener }) => allowed.has(listener.login))
  }

  /** Returns the heads of the partitions that a client holds or that are listed for its user; undefined if no source has `by`. */
  async heads({ login, client }: StreamOwner): Promise<readonly { readonly [name: string]: JsonValue }[] | undefined> {
    const sources = this.#engine.sources
      .all()
      .filter(({ by, syncType }) => by !== undefined && syncType !== 'bulk_only')
    if (sources.length === 0) return undefined
    const record = await this.#engine.store.registry.get('client', client)
    if (record !== undefined) this.#wanted.add(client, collectionsOfClient(clientOf(record)).filter(isPartition))
    const heads = await Promise.all(sources.map(source => this.#headsOf(source, login, client)))
    return heads.flat()
  }

  async #headsOf(source: Source, login: string, client: string) {
    const listed = await listedPartitions(this.#engine, source, login).catch(() => undefined)
    const names = (listed?.partitions ?? []).map(byPartition)
    this.#wanted.add(
      client,
      names.map(partition => ({ source: source.name, partition })),
    )
    const wanted = this.#wanted.of(client).filter(collection => collection.source === source.name)
    const heads = wanted.map(async collection => {
      const parameters = parametersOfPartition(collection.partition)
      if (parameters === undefined) return []
      const isVisible = await isAllowed(this.#engine, source, { user: login, parameters }).catch(() => false)
      const head = isVisible ? await this.#heads.head(collection) : undefined
      return head ? [{ source: source.name, parameters, ...head }] : []
    })
    return (await Promise.all(heads)).flat()
  }
}

const isPartition = ({ partition }: CollectionId): boolean => parametersOfPartition(partition) !== undefined
