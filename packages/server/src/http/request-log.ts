import type { Caller } from './handler.js'
import type { HttpEngine } from './http-engine.js'
import type { HttpReply } from './http-request.js'

/** The log line of one request: route and caller, never the path, the query or a body. */
export class RequestLog {
  readonly #engine: Pick<HttpEngine, 'log' | 'randomId'>
  readonly #startedAt = performance.now()
  readonly #method: string
  #route: string | null = null
  #caller: Caller | undefined

  constructor(engine: Pick<HttpEngine, 'log' | 'randomId'>, method: string) {
    this.#engine = engine
    this.#method = method
  }

  /** Group and name of the route, as in `device.pull`. */
  matched(route: string): void {
    this.#route = route
  }

  calledBy(caller: Caller): void {
    this.#caller = caller
  }

  /** Logs the line, and adds its id to the response. The time of a stream is until its start. */
  answered(reply: HttpReply): HttpReply {
    const id = this.#engine.randomId()
    const ms = Math.round((performance.now() - this.#startedAt) * 10) / 10
    const { login: user = null, client } = this.#caller ?? {}
    const facts = { id, method: this.#method, route: this.#route, user, client: client?.id ?? null }
    this.#engine.log.info({ ...facts, status: reply.status, ms }, 'a request')
    return { ...reply, headers: { ...reply.headers, 'x-request-id': id } }
  }
}
