import { isSyncError, mayCall, QUERY_HEADER, type RouteLine, SyncError } from '@godwit/protocol'
import type { ReplyLease } from '../accounts/quota/reply-budget.js'
import { callerGone } from '../backend/query/query-runs.js'
import { consoleSignInReply } from './console-sign-in.js'
import type { EdgeContext } from './edge.js'
import type { AnyHandlerRequest, Caller } from './handler.js'
import { healthReply } from './health-reply.js'
import type { HttpEngine } from './http-engine.js'
import type { HttpReply, HttpRequest } from './http-request.js'
import { identifyCaller } from './identify-caller.js'
import { corsHeaders, optionsReply } from './origin.js'
import { pageReply } from './pages.js'
import { problemReply } from './problem.js'
import { readQuery } from './query-string.js'
import { readBody, readBytes } from './read-body.js'
import { type AuditableRequest, recordInAudit } from './record-in-audit.js'
import { replyOf } from './reply.js'
import { RequestLog } from './request-log.js'
import type { RouteMatch } from './router.js'

/** Characters of a reply that need not be counted. */
const SMALL_REPLY = 16 * 1024

const QUERY = QUERY_HEADER.toLowerCase()

/** Answers any request to the server. */
export const respond = async (edge: EdgeContext, call: HttpRequest): Promise<HttpReply> =>
  healthReply(edge, call) ??
  consoleSignInReply(edge, call) ??
  edge.staticPages.reply(call) ??
  pageReply(call, edge.staticPages) ??
  answer(edge, call)

/** Answers a request of the route table, with plain values in and out. Never rejects. */
export async function answer(edge: EdgeContext, call: HttpRequest): Promise<HttpReply> {
  const { engine, traffic } = edge
  const requestLog = engine.logRequests ? new RequestLog(engine, call.method) : undefined
  traffic.open++
  let reply: HttpReply
  try {
    reply = call.method === 'OPTIONS' ? optionsOf(edge, call) : await answerTo(edge, call, requestLog)
  } catch (error) {
    reply = problemReply(error, engine)
  } finally {
    traffic.open--
  }
  if (requestLog) reply = requestLog.answered(reply)
  const cors = corsHeaders(call, engine.origins)
  return cors ? { ...reply, headers: { ...reply.headers, ...cors } } : reply
}

/** The steps of every request. */
async function answerTo(edge: EdgeContext, call: HttpRequest, requestLog: RequestLog | undefined): Promise<HttpReply> {
  const { engine, router } = edge
  const match = router.match(call.method, call.path)
  const begun = performance.now()
  requestLog?.matched(match.endpoint.name)
  try {
    // Read before the first wait: the address is lost when the caller disconnects.
    const address = match.endpoint.audited === undefined ? '' : call.address
    const caller = await identifyCaller(edge, match, call)
    requestLog?.calledBy(caller)
    const recorded = { match, caller, call, address }
    if (match.endpoint.audited === undefined) return await handle(engine, recorded)
    return await recordInAudit(engine, recorded, seen => handle(engine, recorded, seen))
  } catch (error) {
    const failure = { route: match.endpoint.name, code: isSyncError(error) ? error.code : 'internal' }
    if (!isFirstLook(failure)) engine.metrics.failures.inc(failure)
    throw error
  } finally {
    const seconds = (performance.now() - begun) / 1000
    engine.statistics.record(match.endpoint.key, seconds)
    engine.metrics.requests.observe({ route: match.endpoint.name }, seconds)
  }
}

/** True if a console asked for its session before a login, which is not a failure. */
const isFirstLook = ({ route, code }: { readonly route: string; readonly code: string }): boolean =>
  route === 'system.session' && code === 'token_missing'

/** Runs a request of a known caller: check the role → read → handle → reply. */
function handle(
  engine: HttpEngine,
  { match, caller, call }: AuditableRequest,
  seen?: (request: ReadRequest) => void,
): Promise<HttpReply> {
  allow(caller, match.endpoint.route)
  const login = caller.role === 'device' ? caller.login : undefined
  const work = (): Promise<HttpReply> =>
    withLease(engine.replyBudget.lease(login ?? ''), async lease => {
      const turn = () => awaitTurn(engine, caller, call)
      const request = new ReadRequest(call, { ...(await read(match, caller, call, turn)), lease })
      seen?.(request)
      const answered = await match.endpoint.handle(engine, request)
      // From here on the response is written and sent.
      if (login !== undefined) engine.eventLoopTurns.resume(login)
      return replyOf(answered, call)
    })
  if (login === undefined) return work()
  const isPush = match.endpoint.name === 'device.push'
  const inTurn = () => (isPush ? engine.pushLimiter.run(login, call.headers['content-length'], work) : work())
  return engine.activeRequests.during(login, inTurn)
}

/** Runs a request with a lease, which then covers its text until it is sent. */
async function withLease(lease: ReplyLease, work: (lease: ReplyLease) => Promise<HttpReply>): Promise<HttpReply> {
  let length = 0
  try {
    const reply = await work(lease)
    if (typeof reply.body === 'string') length = reply.body.length
    return length > SMALL_REPLY ? { ...reply, sent: () => lease.end() } : reply
  } finally {
    if (length > SMALL_REPLY) lease.resize(length)
    else lease.end()
  }
}

/** Lets other users run first if this one has used its share of the event loop. Throws if the caller disconnects meanwhile. */
async function awaitTurn({ eventLoopTurns }: HttpEngine, { role, login }: Caller, call: HttpRequest): Promise<void> {
  const turn = role === 'device' && login !== undefined ? eventLoopTurns.enter(login) : undefined
  if (turn === undefined) return
  await turn
  if (call.signal.aborted) throw callerGone()
}

/** Reads the request. `turn`: awaited after the bytes of the body have arrived and before they are parsed. */
async function read(
  { endpoint, parameters }: RouteMatch,
  caller: Caller,
  call: HttpRequest,
  turn: () => Promise<void>,
): Promise<RequestParts> {
  const { route, checkQuery, checkBody } = endpoint
  const query = checkQuery?.()(readQuery(queryOf(route, call)))
  const body = route.bytes ? await readBytes(call, route) : checkBody?.()(await readBody(call, route, turn))
  if (checkBody === undefined) await turn()
  return { parameters, caller, query, body }
}

type RequestParts = Pick<AnyHandlerRequest, 'parameters' | 'caller' | 'query' | 'body'>

const queryOf = ({ queryInHeader }: RouteLine, { search, headers }: HttpRequest): string =>
  queryInHeader && search === '' ? (headers[QUERY] ?? '') : search

function optionsOf({ engine, router }: EdgeContext, call: HttpRequest): HttpReply {
  const methods = router.methods(call.path)
  if (methods.length === 0) router.match('GET', call.path)
  return optionsReply(call, methods, engine.origins)
}

/** Throws unless the route admits the caller's role. */
function allow({ role }: Caller, { roles }: RouteLine): void {
  if (mayCall(role, roles)) return
  throw new SyncError('role_insufficient', `This route takes the role ${roles.join(' or ')}; yours is ${role}.`)
}

/** The parsed request. The signal stays a getter, since few handlers use it and creating one is expensive. */
class ReadRequest implements AnyHandlerRequest {
  readonly parameters: AnyHandlerRequest['parameters']
  readonly caller: Caller
  readonly query: unknown
  readonly body: unknown
  readonly lease: ReplyLease
  readonly #call: HttpRequest

  constructor(
    call: HttpRequest,
    { parameters, caller, query, body, lease }: RequestParts & Pick<AnyHandlerRequest, 'lease'>,
  ) {
    this.parameters = parameters
    this.caller = caller
    this.query = query
    this.body = body
    this.lease = lease
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
