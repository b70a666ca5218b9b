import { type JsonValue, SyncError } from '@godwit/protocol'
import { messageOf } from '@godwit/source'
import type { CollectionId } from '@godwit/store'
import type { AccessEngine } from '../../backend/partitions/access.js'
import { DEVICE_CHANNEL, type DeviceEvent } from '../../backend/sources/channels.js'
import { findCollection, parametersOfPartition } from '../../backend/sources/partition-of.js'
import { ConcurrencyLimiter } from '../../base/concurrency-limiter.js'
import type { DeviceEngine } from '../device-engine.js'
import { ChangeGatherer } from './change-gatherer.js'
import { EventStream, type StreamHost, type StreamOwner } from './event-stream.js'
import type { EventStreams } from './event-streams.js'
import { HeadReader } from './head-reader.js'
import { cacheReads, mayListen } from './may-listen.js'
import { PartitionStreams } from './partition-streams.js'

/** The number of session checks in the store at once, so that requests do not queue behind the heartbeats of all streams. */
const CHECK_CONCURRENCY = 64
/** The number of streams notified together, and the milliseconds between two such groups. */
const PART = 100
const PART_TIME = 10
/** The number of announcements of a constantly changing source within the time over which its devices spread. */
const ANNOUNCEMENTS_PER_SPREAD = 4

type EventHubEngine = AccessEngine & Pick<DeviceEngine, 'sources' | 'metrics'>

/** The open event streams of this process, over a single subscription to the store. */
export class EventHub implements EventStreams, StreamHost {
  readonly #engine: EventHubEngine
  readonly #checks = new ConcurrencyLimiter(CHECK_CONCURRENCY)
  readonly #streams = new Map<string, Set<EventStream>>()
  readonly #heads: HeadReader
  readonly #partitions: PartitionStreams
  readonly #gatherer: ChangeGatherer
  readonly #changeListeners: ((collection: CollectionId) => void)[] = []
  #size = 0
  #subscription: Promise<() => Promise<void>> | undefined
  #heartbeat: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(engine: EventHubEngine) {
    this.#engine = engine
    this.#heads = new HeadReader(engine)
    this.#partitions = new PartitionStreams(engine, this.#heads)
    this.#gatherer = new ChangeGatherer({
      wait: collection => Math.min(engine.limits.eventGather, this.#listenersOf(collection).length),
      gap: collection =>
        Math.max(
          engine.limits.eventGather,
          this.#spreadFor(this.#listenersOf(collection).length) / ANNOUNCEMENTS_PER_SPREAD,
        ),
      announce: (collection, by) => void this.#announce(collection, by),
    })
  }

  /** The number of open streams. */
  get size(): number {
    return this.#size
  }

  /** Returns a stream that joins the hub at its first read. */
  open(listener: StreamOwner): EventStream {
    if (this.#isClosed) throw new SyncError('store_unavailable', 'The server is stopping. Connect again.')
    return new EventStream(this, listener)
  }

  mayListen(listener: StreamOwner): Promise<number | undefined> {
    return this.#checks.run(() => mayListen(this.#engine, listener))
  }

  async check(owner: StreamOwner): Promise<{ readonly [name: string]: JsonValue; readonly within: number }> {
    const [heads, partitions] = await this.#checks.run(() =>
      Promise.all([this.#heads.all(owner.login), this.#partitions.heads(owner)]),
    )
    return { heads, ...(partitions && { partitions }), within: this.#spreadFor(this.#size) }
  }

  now(): number {
    return this.#engine.clock()
  }

  async join(stream: EventStream): Promise<void> {
    const { login } = stream.listener
    const streams = this.#streams.get(login) ?? new Set()
    if (!streams.has(stream)) this.#size++
    this.#streams.set(login, streams.add(stream))
    this.#makeRoom(stream)
    this.#heartbeat ??= setInterval(() => this.#beat(), this.#engine.limits.eventHeartbeat * 1000).unref()
    await this.#subscribe()
    if (this.#isClosed) stream.close()
  }

  leave(stream: EventStream): void {
    const { login, client } = stream.listener
    const streams = this.#streams.get(login)
    if (streams?.delete(stream)) this.#size--
    if (streams?.size === 0) this.#streams.delete(login)
    if (!this.isOpen(login, client)) this.#partitions.forget(client)
  }

  /** Sends a ping to a client. Returns false if it has no open stream in this process. */
  ping(login: string, client: string, message: { readonly [name: string]: JsonValue }): boolean {
    const own = this.#streamsOf(login).filter(({ listener }) => listener.client === client)
    for (const stream of own) stream.ping(message)
    return own.length > 0
  }

  isOpen(login: string, client: string): boolean {
    return this.#streamsOf(login).some(({ listener }) => listener.client === client)
  }

  clientsOf(login: string): readonly string[] {
    return this.#streamsOf(login).map(({ listener }) => listener.client)
  }

  logins(): Iterable<string> {
    return this.#streams.keys()
  }

  isListening(login: string): boolean {
    return this.#streams.has(login)
  }

  onChange(listener: (collection: CollectionId) => void): void {
    this.#changeListeners.push(listener)
  }

  /** Tells the listening devices of a source to pull, though none of its collections changed. */
  refresh(source: string): void {
    const found = this.#engine.sources.find(source)
    if (found === undefined) return
    const streams = this.#allStreams().filter(({ listener }) => findCollection(found, listener.login) !== undefined)
    const within = this.#spreadFor(streams.length)
    for (const stream of streams) stream.change({ source: source }, { within })
  }

  /** Ends every stream and accepts no more. Each device receives the milliseconds over which to spread its reconnect. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#heartbeat)
    this.#gatherer.close()
    const within = this.#spreadFor(this.#size)
    for (const stream of this.#allStreams()) stream.stop(within)
    const end = await this.#subscription?.catch(() => undefined)
    await end?.()
  }

  /** Ends the oldest streams of a client above its limit: a client that opens another has lost the old ones. */
  #makeRoom({ listener: { login, client } }: EventStream): void {
    const own = this.#streamsOf(login).filter(({ listener }) => listener.client === client)
    for (const oldest of own.slice(0, Math.max(0, own.length - this.#engine.limits.streamsPerClient))) {
      oldest.giveUp()
      this.#engine.metrics.limited.inc({ limit: 'streamsPerClient', result: 'made_room' })
    }
  }

  #subscribe(): Promise<unknown> {
    this.#subscription ??= this.#engine.store.events
      .subscribe(
        DEVICE_CHANNEL,
        event => this.#hear(event as unknown as DeviceEvent),
        () => this.#checkAll(),
      )
      .catch(error => {
        this.#subscription = undefined
        throw error
      })
    return this.#subscription
  }

  #hear(event: DeviceEvent): void {
    if (event.kind === 'ended') return void this.#checkStreams(event.login)
    if (event.kind === 'access') return void this.#announceAccess(event)
    if (event.kind === 'wanted') return void this.#addWanted(event)
    const { source, partition, by } = event
    this.#heads.forget(event)
    for (const listener of this.#changeListeners) listener({ source, partition })
    if (this.#size > 0) this.#gatherer.changed({ source, partition }, by)
  }

  #announceAccess({ login, isAnnounced }: Extract<DeviceEvent, { kind: 'access' }>): void {
    this.#engine.accessCache.forget(login)
    if (isAnnounced) for (const stream of this.#streamsOf(login)) stream.access()
  }

  #addWanted({ login, client, collections }: Extract<DeviceEvent, { kind: 'wanted' }>): void {
    if (!this.isOpen(login, client)) return
    this.#partitions.add(
      client,
      collections.map(([source, partition]) => ({ source, partition })),
    )
  }

  /** Returns the streams of users who see the collection; of a source with `by`, those of clients that hold the partition. */
  #listenersOf(collection: CollectionId): readonly EventStream[] {
    const source = this.#engine.sources.find(collection.source)
    if (!source) return []
    const { partition } = collection
    if (source.by !== undefined) return this.#partitions.listeners(collection, this.#allStreams())
    if (partition === '*') return source.partition === 'app' ? this.#allStreams() : []
    const streams = partition.startsWith('user:')
      ? this.#streamsOf(partition.slice('user:'.length))
      : this.#allStreams()
    return streams.filter(({ listener }) => findCollection(source, listener.login)?.partition === partition)
  }

  /** Announces a change with one read of the head, in groups of streams so that other requests run in between. */
  async #announce(collection: CollectionId, by: string | undefined): Promise<void> {
    const listening = this.#listenersOf(collection).filter(({ listener }) => by === undefined || listener.client !== by)
    const source = this.#engine.sources.find(collection.source)
    const notified =
      source?.by === undefined ? listening : await this.#partitions.permitted(source, collection, listening)
    if (notified.length === 0) return
    const key = { source: collection.source, parameters: parametersOfPartition(collection.partition) }
    const head = await this.#heads.head(collection)
    const within = this.#spreadFor(notified.length)
    for (let from = 0; from < notified.length; from += PART) {
      if (from > 0) await new Promise(resolve => setTimeout(resolve, PART_TIME))
      for (const stream of notified.slice(from, from + PART)) stream.change(key, { ...head, within })
    }
  }

  /** The milliseconds over which this number of devices spread their pulls: 1,000 devices a second. */
  #spreadFor(devices: number): number {
    return Math.min(this.#engine.limits.eventSpread, devices)
  }

  /** Events may have been lost, so every device compares its position once, at a random moment within the spread. */
  #checkAll(): void {
    this.#heads.forgetAll()
    const spread = this.#spreadFor(this.#size)
    for (const stream of this.#allStreams()) stream.checkIn(Math.random() * spread)
  }

  /**
   * Checks the streams of a user. Streams of one session and client share a check, and every record is read once, since a user may have thousands.
   */
  #checkStreams(login: string): void {
    const engine = {
      ...this.#engine,
      store: { ...this.#engine.store, registry: cacheReads(this.#engine.store.registry) },
    }
    const pendingChecks = new Map<string, Promise<number | undefined>>()
    for (const stream of this.#streamsOf(login)) {
      const { credential, client } = stream.listener
      const key = JSON.stringify([credential, client])
      const ask = pendingChecks.get(key) ?? this.#checks.run(() => mayListen(engine, stream.listener))
      pendingChecks.set(key, ask)
      stream.look(ask).catch(error => this.#engine.log.debug({ error: messageOf(error) }, 'could not check a stream'))
    }
  }

  #beat(): void {
    const within = this.#spreadFor(this.#size)
    for (const stream of this.#allStreams()) stream.beat(within)
  }

  #streamsOf(login: string): readonly EventStream[] {
    return [...(this.#streams.get(login) ?? [])]
  }

  #allStreams(): readonly EventStream[] {
    return [...this.#streams.values()].flatMap(streams => [...streams])
  }
}
