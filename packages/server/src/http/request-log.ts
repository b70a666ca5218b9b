import type { ServerEngine } from '../engine.js'
import type { Caller } from './handler.js'
import type { HttpReply } from './http-request.js'

/** One request, as the log tells it: which route and who, never the path, the query or a body. */
export class RequestLog {
  readonly #engine: Pick<ServerEngine, 'log' | 'randomId'>
  readonly #startedAt = performance.now()
  readonly #method: string
  #route: string | null = null
  #caller: Caller | undefined

  constructor(engine: Pick<ServerEngine, 'log' | 'randomId'>, method: string) {
    this.#engine = engine
    this.#method = method
  }

  /** Group and name of the route: `device.pull`. */
  matched(route: string): void {
    this.#route = route
  }

  calledBy(caller: Caller): void {
    this.#caller = caller
  }

  /** Logs the line, and gives the answer the id that stands in it. Of a stream the time is that to its beginning. */
  answered(reply: HttpReply): HttpReply {
    const id = this.#engine.randomId()
    const ms = Math.round((performance.now() - this.#startedAt) * 10) / 10
    const { login: user = null, client } = this.#caller ?? {}
    const facts = { id, method: this.#method, route: this.#route, user, client: client?.id ?? null }
    this.#engine.log.info({ ...facts, status: reply.status, ms }, 'a request')
    return { ...reply, headers: { ...reply.headers, 'x-request-id': id } }
  }
}
