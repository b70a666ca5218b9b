import type { AnyHandlerRequest, Caller } from './handler.js'
import type { HttpRequest } from './http-request.js'

/** What was read of a request. The signal stays a getter: hardly any handler asks for it, and making one is dear. */
export class ReadRequest implements AnyHandlerRequest {
  readonly parameters: AnyHandlerRequest['parameters']
  readonly caller: Caller
  readonly query: unknown
  readonly body: unknown
  readonly #call: HttpRequest

  constructor(
    call: HttpRequest,
    { parameters, caller, query, body }: Pick<AnyHandlerRequest, 'parameters' | 'caller' | 'query' | 'body'>,
  ) {
    this.parameters = parameters
    this.caller = caller
    this.query = query
    this.body = body
    this.#call = call
  }

  get secure() {
    return this.#call.secure
  }

  get address() {
    return this.#call.address
  }

  get headers() {
    return this.#call.headers
  }

  get signal() {
    return this.#call.signal
  }
}
