import type { AnyRequest, Caller } from './handler.js'
import type { Call } from './http-request.js'

/** What was read of a request. The signal stays a getter: hardly any handler asks for it, and making one is dear. */
export class ReadRequest implements AnyRequest {
  readonly parameters: AnyRequest['parameters']
  readonly caller: Caller
  readonly query: unknown
  readonly body: unknown
  readonly #call: Call

  constructor(
    call: Call,
    { parameters, caller, query, body }: Pick<AnyRequest, 'parameters' | 'caller' | 'query' | 'body'>,
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
