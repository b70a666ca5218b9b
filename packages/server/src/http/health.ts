import { SyncError } from '@godwit/protocol'
import { inTime } from '@godwit/store'
import { bare } from './bare.js'
import type { EdgeContext } from './edge.js'
import type { HttpReply, HttpRequest } from './http-request.js'
import { problemReply } from './problem.js'
import { jsonReply } from './reply.js'

const CHECK_WAIT = 5000

/** `/healthz`: the process is alive. `/readyz`: it answers and its store does. Undefined: another path. */
export function health(edge: EdgeContext, { path, method }: HttpRequest): Promise<HttpReply> | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  if (bare(path) === '/healthz') return Promise.resolve(jsonReply({ status: 'ok' }))
  return bare(path) === '/readyz' ? readiness(edge) : undefined
}

async function readiness({ engine, traffic }: EdgeContext): Promise<HttpReply> {
  try {
    if (traffic.draining) throw new SyncError('store_unavailable', 'The server is stopping: ask another one.')
    await inTime(engine.store.check(), CHECK_WAIT, tooLate)
    const warnings = await engine.storeHealth.check()
    return jsonReply({ status: 'ready', ...(warnings.length > 0 && { warnings }) })
  } catch (error) {
    return problemReply(error, engine)
  }
}

const tooLate = (): SyncError =>
  new SyncError('store_unavailable', `expected an answer of the store within ${CHECK_WAIT} ms, got none.`)
