import { timingSafeEqual } from 'node:crypto'
import { SyncError } from '@godwit/protocol'
import { storedForm } from '../accounts/access/secrets.js'
import { feedWarnings } from '../backend/feeds/feed-reports.js'
import { bare } from './bare.js'
import { bearerOf } from './bearer.js'
import type { EdgeContext } from './edge.js'
import type { HttpReply, HttpRequest } from './http-request.js'
import { problemReply } from './problem.js'
import { jsonReply } from './reply.js'

/**
 * Answers requests about the process: `/healthz` (it is alive), `/readyz` (it and its store respond), and `/metrics`, with the token if one is
 * configured. Returns undefined for any other path.
 */
export function healthReply(edge: EdgeContext, call: HttpRequest): Promise<HttpReply> | undefined {
  if (call.method !== 'GET' && call.method !== 'HEAD') return undefined
  switch (bare(call.path)) {
    case '/healthz':
      return Promise.resolve(jsonReply({ status: 'ok' }))
    case '/readyz':
      return readinessReply(edge)
    case '/metrics':
      return metricsReply(edge, call)
    default:
      return undefined
  }
}

async function readinessReply({ engine, traffic }: EdgeContext): Promise<HttpReply> {
  try {
    if (traffic.draining) throw new SyncError('store_unavailable', 'The server is stopping. Use another one.')
    const warnings = [...(await engine.storeHealth.check()), ...(await feedWarnings(engine))]
    return jsonReply({ status: 'ready', ...(warnings.length > 0 && { warnings }) })
  } catch (error) {
    return problemReply(error, engine)
  }
}

async function metricsReply({ engine, metricsPage }: EdgeContext, { headers }: HttpRequest): Promise<HttpReply> {
  try {
    if (engine.metricsToken !== undefined) checkToken(engine.metricsToken, headers['authorization'])
    const body = await metricsPage.text()
    return { status: 200, headers: { 'content-type': metricsPage.type }, body }
  } catch (error) {
    const reply = problemReply(error, engine)
    return { ...reply, headers: { ...reply.headers, 'www-authenticate': 'Bearer realm="metrics"' } }
  }
}

function checkToken(token: string, authorization: string | undefined): void {
  const given = bearerOf(authorization) ?? ''
  if (given === '') throw new SyncError('token_missing', 'expected the token of the metrics as a bearer, got none.')
  if (timingSafeEqual(Buffer.from(storedForm(given)), Buffer.from(storedForm(token)))) return
  throw new SyncError('token_invalid', 'expected the token of the metrics as a bearer, got another text.')
}
