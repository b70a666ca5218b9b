import type { IncomingMessage, ServerResponse } from 'node:http'
import { SyncError } from '@godwit/protocol'
import type { Worker } from '@godwit/store'
import { LastUseRecorder } from '../accounts/access/last-use.js'
import type { ProcessFigures } from '../admin/measure/process-figures.js'
import type { Statistics } from '../admin/measure/statistics.js'
import type { PingPeers } from '../admin/ping/ping-peers.js'
import type { WatchStreams } from '../admin/watch/watch-streams.js'
import { accessChanged } from '../backend/partitions/access-changed.js'
import { limitsOf } from '../base/check-limits.js'
import type { Limits } from '../base/limits.js'
import { silentLog } from '../base/log.js'
import type { Reporter } from '../base/reporter.js'
import type { EventStreams } from '../device/events/event-streams.js'
import type { EdgeContext } from '../http/edge.js'
import { createNodeHandler, type NodeHandler } from '../http/express-app.js'
import { serveFetch } from '../http/fetch-edge.js'
import { handlers } from '../http/handlers.js'
import { type HttpListener, type ListenAddress, listen } from '../http/listen.js'
import { MetricsPage } from '../http/metrics-page.js'
import { serveState } from '../http/node-edge.js'
import { problemReply } from '../http/problem.js'
import { Router } from '../http/router.js'
import { write } from '../http/send.js'
import { staticPages } from '../http/static.js'
import { stop } from '../http/stop.js'
import { type Background, startBackground } from './background.js'
import type { SyncServerOptions } from './options.js'
import { startEngine } from './start-engine.js'
import { startWorkers } from './start-workers.js'

export type { ListenAddress }

/** A sync server. It starts at the first call of `begin`, `listen`, `work`, `fetch` or `handler`; `close` stops it and leaves the store open. */
export interface SyncServer {
  /** Initialises a new or emptied store with the admin and first users, then closes; servers running on that store continue by themselves. */
  begin(): Promise<void>
  /** Opens a socket; resolves when the server is ready. `close` closes the whole server. */
  listen(address?: ListenAddress): Promise<{ readonly url: string; close(): Promise<void> }>
  /**
   * Runs jobs and periodic work in a process that serves no devices. With an address it serves only `/healthz`, `/readyz` and `/metrics`; without one
   * it has no socket and no `url`. Rejects if `limits.jobConcurrency` is 0.
   */
  work(address?: ListenAddress): Promise<{ readonly url?: string; close(): Promise<void> }>
  /** Serves a request without a socket, for tests and embedding; takes the arguments of the global `fetch`. Rejects once the server is closed. */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>
  /** A handler for an existing `node:http` server or Express app; answers 503 once the server is closed. */
  handler(request: IncomingMessage, response: ServerResponse): void
  /** Counts an error that no call caught: in `/metrics` by module, and among the warnings of `GET /rc/v1/system/state`. Ignored before the server has started. */
  recordStrayError(error: { readonly module: string; readonly message: string }): void
  /**
   * Drops what all processes remember of a user's access to partitions of sources with `by`, and tells the user's devices to ask for the list again.
   *
   * @example
   * ```ts
   * await db.addMember('ada', '7')
   * await server.accessChanged('ada')
   * ```
   */
  accessChanged(user: string): Promise<void>
  /** Accepts no more requests, lets those in progress finish within `limits.stopWait`, then ends the rest. A second call waits for the first. */
  close(): Promise<void>
}

// Shared by all servers of a process: it depends only on routes and handlers, and compiles each schema once.
const router = new Router(handlers)

/** Creates a sync server with these options. Throws `value_not_allowed` for an unknown or invalid limit. */
export const createSyncServer = (options: SyncServerOptions): SyncServer =>
  new LazyServer({ ...options, limits: limitsOf(options.limits) })

type SettledOptions = SyncServerOptions & { readonly limits: Limits }

interface RunningServer {
  readonly edge: EdgeContext
  readonly handle: NodeHandler
  readonly background: Background
  /** Undefined in a process that runs no jobs. */
  readonly workers: Worker | undefined
  readonly hub: EventStreams
  readonly watchHub: WatchStreams
  readonly reporter: Reporter
  readonly figures: ProcessFigures
  readonly pingPeers: PingPeers
  readonly statistics: Statistics
}

const stateHandler =
  (edge: EdgeContext): NodeHandler =>
  (request, response) =>
    void serveState(edge, request, response)

class LazyServer implements SyncServer {
  readonly #options: SettledOptions
  readonly #stopping = new AbortController()
  readonly #traffic = { open: 0, draining: false }
  readonly #listeners: HttpListener[] = []
  #starting: Promise<RunningServer> | undefined
  #running: RunningServer | undefined
  #closing: Promise<void> | undefined

  constructor(options: SettledOptions) {
    this.#options = options
  }

  async begin(): Promise<void> {
    await this.#start()
    await this.close()
  }

  async listen(address?: ListenAddress): ReturnType<SyncServer['listen']> {
    const { handle } = await this.#start()
    return { url: await this.#open(handle, address), close: this.close }
  }

  async #open(handle: NodeHandler, address?: ListenAddress): Promise<string> {
    const listener = await listen(handle, address, this.#options.limits)
    this.#listeners.push(listener)
    return listener.url
  }

  async work(address?: ListenAddress): ReturnType<SyncServer['work']> {
    const { workers, edge } = await this.#start()
    if (workers) return { ...(address && { url: await this.#open(stateHandler(edge), address) }), close: this.close }
    await this.close()
    throw new SyncError(
      'value_not_allowed',
      'limits.jobConcurrency: expected 1 or more in a process that only works, got 0.',
    )
  }

  // Bound, since callers may pass the method on by itself.
  readonly fetch: SyncServer['fetch'] = async (input, init) => {
    const { edge } = await this.#start()
    return serveFetch(edge, new Request(input, init))
  }

  readonly handler: SyncServer['handler'] = (request, response) => {
    if (this.#running && !this.#closing) return this.#running.handle(request, response)
    this.#start().then(
      ({ handle }) => handle(request, response),
      error => this.#refuse(response, error),
    )
  }

  readonly recordStrayError: SyncServer['recordStrayError'] = ({ module, message }) =>
    this.#running?.edge.engine.strayErrors.record(module, message)

  readonly accessChanged: SyncServer['accessChanged'] = async user => {
    const { edge } = await this.#start()
    await accessChanged(edge.engine, user)
  }

  readonly close: SyncServer['close'] = () => {
    const { stopWait: seconds, stopDelay: delay } = this.#options.limits
    this.#closing ??= stop({
      started: this.#starting?.catch(() => undefined),
      listeners: this.#listeners,
      traffic: this.#traffic,
      stopping: this.#stopping,
      seconds,
      delay,
    })
    return this.#closing
  }

  /** Starts once; after a failure the next call tries again. */
  #start(): Promise<RunningServer> {
    if (this.#closing)
      return Promise.reject(new SyncError('store_unavailable', 'The server was closed: create another one.'))
    this.#starting ??= this.#begin().catch(error => {
      this.#starting = undefined
      throw error
    })
    return this.#starting
  }

  async #begin(): Promise<RunningServer> {
    const engine = await startEngine(this.#options, this.#stopping.signal)
    const edge = {
      engine,
      router,
      lastUse: new LastUseRecorder(engine),
      traffic: this.#traffic,
      metricsPage: new MetricsPage(engine),
      staticPages: staticPages(this.#options.pages ?? []),
    }
    this.#stopping.signal.addEventListener('abort', () => edge.metricsPage.stop(), { once: true })
    const { hub, watchHub, reporter, figures, pingPeers, statistics, limits } = engine
    engine.storeHealth.watch(this.#stopping.signal)
    reporter.start()
    figures.start()
    pingPeers.start()
    statistics.start(limits.statisticsInterval)
    const workers = await startWorkers(engine)
    const background = startBackground(engine)
    this.#running = {
      edge,
      handle: createNodeHandler(edge),
      hub,
      watchHub,
      reporter,
      figures,
      pingPeers,
      statistics,
      background,
      workers,
    }
    return this.#running
  }

  #refuse(response: ServerResponse, error: unknown): void {
    const { log = silentLog, randomId = () => crypto.randomUUID() } = this.#options
    const { status, headers, body } = problemReply(error, { log, randomId })
    write(response, status, headers, String(body))
  }
}
