import { allow } from './allow.js'
import type { Call, Reply } from './call.js'
import type { Edge } from './edge.js'
import type { Caller } from './handler.js'
import { health } from './health.js'
import { corsHeaders, optionsReply } from './origin.js'
import { problemReply } from './problem.js'
import { readQuery } from './query-string.js'
import { readBody } from './read-body.js'
import { replyOf } from './reply.js'
import type { Match } from './router.js'
import { who } from './who.js'

/** Everything that a server answers. */
export const respond = (edge: Edge, call: Call): Promise<Reply> => health(edge, call) ?? answer(edge, call)

/** The recipe of every request of the route table: plain values in and out. It never rejects. */
export async function answer(edge: Edge, call: Call): Promise<Reply> {
  const { engine, router, traffic } = edge
  traffic.open++
  let reply: Reply
  try {
    reply =
      call.method === 'OPTIONS' ? optionsOf(edge, call) : await found(edge, router.match(call.method, call.path), call)
  } catch (error) {
    reply = problemReply(error, engine)
  } finally {
    traffic.open--
  }
  const cors = corsHeaders(call, engine.origins)
  return cors ? { ...reply, headers: { ...reply.headers, ...cors } } : reply
}

async function found(edge: Edge, match: Match, call: Call): Promise<Reply> {
  const caller = await who(edge, match, call)
  allow(caller, match.endpoint.route)
  if (caller.role !== 'device') return handled(edge, match, caller, call)
  const { underWay } = edge.engine
  underWay.enter(caller.login ?? '')
  try {
    return await handled(edge, match, caller, call)
  } finally {
    underWay.leave(caller.login ?? '')
  }
}

async function handled({ engine }: Edge, match: Match, caller: Caller, call: Call): Promise<Reply> {
  const { endpoint, parameters } = match
  const { route, checkQuery, checkBody } = endpoint
  const query = checkQuery?.()(readQuery(call.search))
  const body = checkBody?.()(await readBody(call, route))
  return replyOf(await endpoint.handle(engine, request({ parameters, query, body, caller }, call)))
}

/** The signal stays a getter: hardly any handler asks for it, and making one costs more than the rest of this file. */
function request<R extends object>(read: R, call: Call) {
  return {
    ...read,
    secure: call.secure,
    headers: call.headers,
    get signal() {
      return call.signal
    },
  }
}

function optionsOf({ engine, router }: Edge, call: Call): Reply {
  const methods = router.methods(call.path)
  if (methods.length === 0) router.match('GET', call.path)
  return optionsReply(call, methods, engine.origins)
}
