import type { JsonValue, PushMessage } from '@godwit/protocol'
import type { Log } from '@godwit/source'
import { messageOf } from '@godwit/source'
import type { Store } from '@godwit/store'

/** A client and its user. */
export interface PeerDevice {
  readonly login: string
  readonly client: string
}

/** The event streams of this process that answer other processes. */
export interface LocalStreams {
  /** The clients of a user with an open stream. */
  clientsOf(login: string): readonly string[]
  /** Sends a ping to a client. Returns false if it has no open stream in this process. */
  ping(login: string, client: string, message: { readonly [name: string]: JsonValue }): boolean
}

export interface PingPeersOptions {
  readonly events: Store['events']
  readonly streams: LocalStreams
  readonly log: Log
  /** The id of this process. */
  readonly process: string
  readonly randomId: () => string
}

/** The channel on which processes reach the event streams of each other. */
const CHANNEL = 'pings'
/** Milliseconds to wait for the other processes. One that stays silent is not waited for again until it is heard. */
const PATIENCE = 500
/** The number of users or devices of a request. */
const PART = 500
/** Milliseconds between greetings, which make processes known whose first one was lost. */
const GREETING_INTERVAL = 30_000

type PeerEvent =
  | { readonly kind: 'hello' | 'here' | 'bye'; readonly from: string }
  | { readonly kind: 'find'; readonly from: string; readonly id: string; readonly logins: readonly string[] }
  | {
      readonly kind: 'deliver'
      readonly from: string
      readonly id: string
      readonly devices: readonly PeerDevice[]
      readonly message: PushMessage
    }
  | {
      readonly kind: 'reply'
      readonly from: string
      readonly to: string
      readonly id: string
      readonly clients: readonly string[]
    }

interface OpenRequest {
  readonly waiting: Set<string>
  readonly clients: Set<string>
  readonly done: () => void
}

/**
 * The event streams of all processes of a server, reached by events of the store: each process answers which of the clients it holds. A lost event
 * makes a device look as if it did not listen, so that its push provider is used.
 */
export class PingPeers {
  readonly #options: PingPeersOptions
  readonly #peers = new Set<string>()
  readonly #requests = new Map<string, OpenRequest>()
  #subscription: Promise<() => Promise<void>> | undefined
  #greeting: NodeJS.Timeout | undefined

  constructor(options: PingPeersOptions) {
    this.#options = options
  }

  /** Joins the other processes. */
  start(): void {
    const { events, log } = this.#options
    this.#subscription = events.subscribe(
      CHANNEL,
      event => this.#hear(event as unknown as PeerEvent),
      () => this.#greet(),
    )
    this.#subscription.then(
      () => this.#greet(),
      error => log.warn({ error: messageOf(error) }, 'pings of other processes do not reach the devices of this one'),
    )
    this.#greeting = setInterval(() => this.#greet(), GREETING_INTERVAL).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#greeting)
    const end = await this.#subscription?.catch(() => undefined)
    if (!end) return
    await this.#publish({ kind: 'bye', from: this.#options.process })
    await end().catch(() => {})
    for (const { done } of this.#requests.values()) done()
  }

  /** Returns the clients of these users that listen to another process. */
  find(logins: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#ask(logins, (part, id) => ({ kind: 'find', from: this.#options.process, id, logins: part }))
  }

  /** Sends a message to devices that listen to other processes. Returns the clients that were reached. */
  deliver(devices: readonly PeerDevice[], message: PushMessage): Promise<ReadonlySet<string>> {
    return this.#ask(devices, (part, id) => ({
      kind: 'deliver',
      from: this.#options.process,
      id,
      devices: part,
      message,
    }))
  }

  /** Requests each part of a list, and collects what the other processes reply. */
  async #ask<Item>(
    items: readonly Item[],
    request: (part: readonly Item[], id: string) => PeerEvent,
  ): Promise<ReadonlySet<string>> {
    const clients = new Set<string>()
    for (let from = 0; from < items.length && this.#peers.size > 0; from += PART) {
      const id = this.#options.randomId()
      const part = request(items.slice(from, from + PART), id)
      for (const client of await this.#collect(id, part)) clients.add(client)
    }
    return clients
  }

  async #collect(id: string, request: PeerEvent): Promise<ReadonlySet<string>> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const open: OpenRequest = { waiting: new Set(this.#peers), clients: new Set(), done: resolve }
    this.#requests.set(id, open)
    const timer = setTimeout(resolve, PATIENCE)
    try {
      if (await this.#publish(request)) await promise
      for (const silent of open.waiting) this.#peers.delete(silent)
      return open.clients
    } finally {
      clearTimeout(timer)
      this.#requests.delete(id)
    }
  }

  #hear(event: PeerEvent): void {
    const { process, streams } = this.#options
    if (event.from === process) return
    if (event.kind === 'bye') return void this.#forget(event.from)
    this.#peers.add(event.from)
    if (event.kind === 'hello') void this.#publish({ kind: 'here', from: process })
    if (event.kind === 'find')
      this.#reply(
        event,
        event.logins.flatMap(login => streams.clientsOf(login)),
      )
    if (event.kind === 'deliver') this.#reply(event, this.#reach(event.devices, event.message))
    if (event.kind === 'reply' && event.to === process) this.#take(event.id, event.from, event.clients)
  }

  #reach(devices: readonly PeerDevice[], message: PushMessage): readonly string[] {
    const reached = devices.filter(({ login, client }) => this.#options.streams.ping(login, client, { ...message }))
    return reached.map(({ client }) => client)
  }

  #reply({ id, from }: { readonly id: string; readonly from: string }, clients: readonly string[]): void {
    void this.#publish({ kind: 'reply', from: this.#options.process, to: from, id, clients })
  }

  #take(id: string, from: string, clients: readonly string[]): void {
    const open = this.#requests.get(id)
    if (!open) return
    for (const client of clients) open.clients.add(client)
    open.waiting.delete(from)
    if (open.waiting.size === 0) open.done()
  }

  #forget(peer: string): void {
    this.#peers.delete(peer)
    for (const id of this.#requests.keys()) this.#take(id, peer, [])
  }

  #greet(): void {
    void this.#publish({ kind: 'hello', from: this.#options.process })
  }

  /** Returns false if the store does not take the event. */
  #publish(event: PeerEvent): Promise<boolean> {
    const { events, log } = this.#options
    return events.publish(CHANNEL, event as unknown as JsonValue).then(
      () => true,
      error => {
        log.debug({ error: messageOf(error) }, 'an event about a ping was not published')
        return false
      },
    )
  }
}
