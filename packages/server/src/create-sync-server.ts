import type { IncomingMessage, ServerResponse } from 'node:http'
import { SyncError } from '@godwit/protocol'
import { UseNotes } from './access/note-use.js'
import type { Edge } from './http/edge.js'
import { createNodeHandler, type NodeHandler } from './http/express-app.js'
import { serveFetch } from './http/fetch-edge.js'
import { handlers } from './http/handlers.js'
import { type Address, type Listener, listen } from './http/listen.js'
import { problemReply } from './http/problem.js'
import { Router } from './http/router.js'
import { write } from './http/send.js'
import { stop } from './http/stop.js'
import { silentLog } from './log.js'
import { DEFAULT_LIMITS, type SyncServerOptions } from './options.js'
import { type Background, startBackground } from './push/recover.js'
import { startEngine } from './start-engine.js'

export type { Address }

/** A sync server. It starts at the first call of `listen`, `fetch` or `handler`; `close` ends it, the store stays its owner's to close. */
export interface SyncServer {
  /** Opens a socket: resolves when the server is ready. `close` is the server's. */
  listen(address?: Address): Promise<{ readonly url: string; close(): Promise<void> }>
  /** The same server without a socket: for tests, and to embed it. Takes what the global `fetch` takes. */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>
  /** For a server of `node:http`, or an Express app, of one's own. */
  handler(request: IncomingMessage, response: ServerResponse): void
  /** Accepts nothing new, lets what is under way end within `limits.stopWait`, then ends the rest. A second call waits for the first. */
  close(): Promise<void>
}

// The same for every server of a process: it knows routes and handlers alone, and compiles a schema once.
const router = new Router(handlers)

interface Running {
  readonly edge: Edge
  readonly handle: NodeHandler
  readonly background: Background
}

export function createSyncServer(options: SyncServerOptions): SyncServer {
  const stopping = new AbortController()
  const traffic = { open: 0, draining: false }
  const listeners: Listener[] = []
  const facts = { log: options.log ?? silentLog, randomId: options.randomId ?? (() => crypto.randomUUID()) }
  let starting: Promise<Running> | undefined
  let running: Running | undefined
  let closing: Promise<void> | undefined

  const begin = async (): Promise<Running> => {
    const engine = await startEngine(options, stopping.signal)
    const edge = { engine, router, notes: new UseNotes(engine), traffic }
    running = { edge, handle: createNodeHandler(edge), background: startBackground(engine) }
    return running
  }
  const start = (): Promise<Running> => {
    if (closing) return Promise.reject(new SyncError('store_unavailable', 'The server was closed.'))
    starting ??= begin().catch(error => {
      starting = undefined
      throw error
    })
    return starting
  }
  const close = (): Promise<void> => {
    const seconds = options.limits?.stopWait ?? DEFAULT_LIMITS.stopWait
    const started = starting?.catch(() => undefined)
    closing ??= stop({ started, listeners, traffic, stopping, seconds })
    return closing
  }

  const refuse = (response: ServerResponse, error: unknown): void => {
    const { status, headers, body } = problemReply(error, facts)
    write(response, status, headers, String(body))
  }

  return {
    async listen(address) {
      const { handle } = await start()
      const listener = await listen(handle, address)
      listeners.push(listener)
      return { url: listener.url, close }
    },
    async fetch(input, init) {
      const { edge } = running ?? (await start())
      return serveFetch(edge, new Request(input, init))
    },
    handler(request, response) {
      if (running) return running.handle(request, response)
      start().then(
        ({ handle }) => handle(request, response),
        error => refuse(response, error),
      )
    },
    close,
  }
}
