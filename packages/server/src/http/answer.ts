import { isSyncError } from '@godwit/protocol'
import type { ServerEngine } from '../engine.js'
import { allow } from './allow.js'
import type { Edge } from './edge.js'
import type { Caller } from './handler.js'
import { health } from './health.js'
import type { Call, Reply } from './http-request.js'
import { who } from './identify-caller.js'
import { metricsReply } from './metrics-reply.js'
import { corsHeaders, optionsReply } from './origin.js'
import { pageReply } from './pages.js'
import { problemReply } from './problem.js'
import { readQuery } from './query-string.js'
import { readBody, readBytes } from './read-body.js'
import { ReadRequest } from './read-request.js'
import { onRecord, type Recorded } from './record-in-audit.js'
import { replyOf } from './reply.js'
import { RequestLog } from './request-log.js'
import type { Match } from './router.js'

/** Everything that a server answers. */
export const respond = async (edge: Edge, call: Call): Promise<Reply> =>
  state(edge, call) ?? edge.staticPages(call) ?? pageReply(call) ?? answer(edge, call)

/** How a process is. Undefined: another path. */
export const state = (edge: Edge, call: Call): Promise<Reply> | undefined =>
  health(edge, call) ?? metricsReply(edge, call)

/** Answers a request of the route table: plain values in and out. It never rejects. */
export async function answer(edge: Edge, call: Call): Promise<Reply> {
  const { engine, traffic } = edge
  const told = engine.logRequests ? new RequestLog(engine, call.method) : undefined
  traffic.open++
  let reply: Reply
  try {
    reply = call.method === 'OPTIONS' ? optionsOf(edge, call) : await answerTo(edge, call, told)
  } catch (error) {
    reply = problemReply(error, engine)
  } finally {
    traffic.open--
  }
  if (told) reply = told.answered(reply)
  const cors = corsHeaders(call, engine.origins)
  return cors ? { ...reply, headers: { ...reply.headers, ...cors } } : reply
}

/** The recipe of every request. */
async function answerTo(edge: Edge, call: Call, told: RequestLog | undefined): Promise<Reply> {
  const { engine, router } = edge
  const match = router.match(call.method, call.path)
  const begun = performance.now()
  told?.matched(match.endpoint.name)
  try {
    // Before anything is waited for: a caller who is gone has no address any more.
    const address = match.endpoint.audited === undefined ? '' : call.address
    const caller = await who(edge, match, call)
    told?.calledBy(caller)
    const recorded = { match, caller, call, address }
    if (match.endpoint.audited === undefined) return await handle(engine, recorded)
    return await onRecord(engine, recorded, seen => handle(engine, recorded, seen))
  } catch (error) {
    engine.metrics.failures.count({ route: match.endpoint.name, code: isSyncError(error) ? error.code : 'internal' })
    throw error
  } finally {
    const seconds = (performance.now() - begun) / 1000
    engine.statistics.record(match.endpoint.key, seconds)
    engine.metrics.requests.of(match.endpoint.name).observe(seconds)
  }
}

/** Who calls is known: allowed → read → handle → reply. */
function handle(
  engine: ServerEngine,
  { match, caller, call }: Recorded,
  seen?: (request: ReadRequest) => void,
): Promise<Reply> {
  allow(caller, match.endpoint.route)
  const work = async (): Promise<Reply> => {
    const request = await read(match, caller, call)
    seen?.(request)
    return replyOf(await match.endpoint.handle(engine, request), call)
  }
  const { login } = caller
  if (caller.role !== 'device' || login === undefined) return work()
  const isPush = match.endpoint.name === 'device.push'
  const inTurn = () => (isPush ? engine.pushTurns.run(login, call.headers['content-length'], work) : work())
  return engine.underWay.during(login, inTurn)
}

async function read({ endpoint, parameters }: Match, caller: Caller, call: Call): Promise<ReadRequest> {
  const { route, checkQuery, checkBody } = endpoint
  const query = checkQuery?.()(readQuery(call.search))
  const body = route.bytes ? await readBytes(call, route) : checkBody?.()(await readBody(call, route))
  return new ReadRequest(call, { parameters, caller, query, body })
}

function optionsOf({ engine, router }: Edge, call: Call): Reply {
  const methods = router.methods(call.path)
  if (methods.length === 0) router.match('GET', call.path)
  return optionsReply(call, methods, engine.origins)
}
