import { type JsonValue, SyncError } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import { ConcurrencyLimiter } from '../access/concurrency-limiter.js'
import type { Engine } from '../engine.js'
import { DEVICE_CHANNEL, type DeviceEvent } from '../sources/channels.js'
import { findCollection } from '../sources/partition-of.js'
import { messageOf } from '../sources/refusal.js'
import { ChangeGatherer } from './change-gatherer.js'
import { EventStream, type StreamHost, type StreamOwner } from './event-stream.js'
import type { EventStreams } from './event-streams.js'
import { HeadReader } from './head-reader.js'
import { cacheReads, mayListen } from './may-listen.js'

/** How many streams are checked in the store at once, so that requests do not wait behind the heartbeats of all streams. */
const CHECK_CONCURRENCY = 64
/** How many streams are told together, and the milliseconds between two such parts. */
const PART = 100
const PART_TIME = 10
/** How often a source that changes all the time is told of in the time over which its devices spread. */
const ANNOUNCEMENTS_PER_SPREAD = 4

type EventHubEngine = Pick<Engine, 'store' | 'sources' | 'clock' | 'log' | 'limits' | 'metrics'>

/** The open event streams of this process, behind one subscription to the store however many there are. */
export class EventHub implements EventStreams, StreamHost {
  readonly #engine: EventHubEngine
  readonly #checks = new ConcurrencyLimiter(CHECK_CONCURRENCY)
  readonly #streams = new Map<string, Set<EventStream>>()
  readonly #heads: HeadReader
  readonly #gatherer: ChangeGatherer
  #size = 0
  #subscription: Promise<() => Promise<void>> | undefined
  #heartbeat: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(engine: EventHubEngine) {
    this.#engine = engine
    this.#heads = new HeadReader(engine)
    this.#gatherer = new ChangeGatherer({
      wait: collection => Math.min(engine.limits.eventGather, this.#listenersOf(collection).length),
      gap: collection =>
        Math.max(
          engine.limits.eventGather,
          this.#spreadFor(this.#listenersOf(collection).length) / ANNOUNCEMENTS_PER_SPREAD,
        ),
      tell: (collection, by) => void this.#tell(collection, by),
    })
  }

  /** How many streams are open. */
  get size(): number {
    return this.#size
  }

  /** A stream that joins when it is first read. */
  open(listener: StreamOwner): EventStream {
    if (this.#isClosed) throw new SyncError('store_unavailable', 'The server is stopping. Connect again.')
    return new EventStream(this, listener)
  }

  mayListen(listener: StreamOwner): Promise<number | undefined> {
    return this.#checks.run(() => mayListen(this.#engine, listener))
  }

  async check({ login }: StreamOwner): Promise<{ readonly [name: string]: JsonValue; readonly within: number }> {
    const heads = await this.#checks.run(() => this.#heads.all(login))
    return { heads, within: this.#spreadFor(this.#size) }
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
    if (this.#isClosed) stream.end()
  }

  leave(stream: EventStream): void {
    const { login } = stream.listener
    const streams = this.#streams.get(login)
    if (streams?.delete(stream)) this.#size--
    if (streams?.size === 0) this.#streams.delete(login)
  }

  /** Tells a client; false: it has no open stream here. */
  ping(login: string, client: string, message: { readonly [name: string]: JsonValue }): boolean {
    const own = this.#streamsOf(login).filter(({ listener }) => listener.client === client)
    for (const stream of own) stream.ping(message)
    return own.length > 0
  }

  isOpen(login: string, client: string): boolean {
    return this.#streamsOf(login).some(({ listener }) => listener.client === client)
  }

  /** Ends every stream at once and takes no more. All devices then come back: each is told over how many milliseconds they spread. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#heartbeat)
    this.#gatherer.close()
    const within = this.#spreadFor(this.#size)
    for (const stream of this.#allStreams()) stream.stop(within)
    const end = await this.#subscription?.catch(() => undefined)
    await end?.()
  }

  /** Ends the oldest streams of a client that has too many: a client that opens more has lost the old ones. */
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
    const { source, partition, by } = event
    this.#heads.forget(event)
    if (this.#size > 0) this.#gatherer.changed({ source, partition }, by)
  }

  /** Those whose collection of the source it is. */
  #listenersOf(collection: CollectionId): readonly EventStream[] {
    const source = this.#engine.sources.find(collection.source)
    if (!source) return []
    const { partition } = collection
    if (partition === '*') return source.partition === 'app' ? this.#allStreams() : []
    const streams = partition.startsWith('user:')
      ? this.#streamsOf(partition.slice('user:'.length))
      : this.#allStreams()
    return streams.filter(({ listener }) => findCollection(source, listener.login)?.partition === partition)
  }

  /** One read, however many listen; in parts, so that requests of others do not wait for all of them. */
  async #tell(collection: CollectionId, by: string | undefined): Promise<void> {
    const told = this.#listenersOf(collection).filter(({ listener }) => by === undefined || listener.client !== by)
    if (told.length === 0) return
    const head = await this.#heads.head(collection)
    const within = this.#spreadFor(told.length)
    for (let from = 0; from < told.length; from += PART) {
      if (from > 0) await new Promise(resolve => setTimeout(resolve, PART_TIME))
      for (const stream of told.slice(from, from + PART)) stream.change(collection.source, { ...head, within })
    }
  }

  /** The milliseconds over which this number of devices spread their pulls: 1,000 devices a second. */
  #spreadFor(devices: number): number {
    return Math.min(this.#engine.limits.eventSpread, devices)
  }

  /** Events may have been missed: every device compares once, not all at the same moment. */
  #checkAll(): void {
    this.#heads.forgetAll()
    const spread = this.#spreadFor(this.#size)
    for (const stream of this.#allStreams()) stream.checkIn(Math.random() * spread)
  }

  /** Streams of one session and client are asked about once, and every record is read once: a user may have thousands. */
  #checkStreams(login: string): void {
    const engine = {
      ...this.#engine,
      store: { ...this.#engine.store, registry: cacheReads(this.#engine.store.registry) },
    }
    const asked = new Map<string, Promise<number | undefined>>()
    for (const stream of this.#streamsOf(login)) {
      const { credential, client } = stream.listener
      const key = JSON.stringify([credential, client])
      const ask = asked.get(key) ?? this.#checks.run(() => mayListen(engine, stream.listener))
      asked.set(key, ask)
      stream.look(ask).catch(error => this.#engine.log.debug({ error: messageOf(error) }, 'a stream was not looked at'))
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
