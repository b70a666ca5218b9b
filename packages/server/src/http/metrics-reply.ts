import { timingSafeEqual } from 'node:crypto'
import { SyncError } from '@godwit/protocol'
import { storedForm } from '../access/secrets.js'
import { bare } from './bare.js'
import { bearerOf } from './bearer.js'
import type { EdgeContext } from './edge.js'
import type { HttpReply, HttpRequest } from './http-request.js'
import { problemReply } from './problem.js'

/** The reply of `/metrics`, for callers with the token where one is configured. Undefined for any other path. */
export function metricsReply(edge: EdgeContext, call: HttpRequest): Promise<HttpReply> | undefined {
  const { path, method } = call
  if (bare(path) !== '/metrics' || (method !== 'GET' && method !== 'HEAD')) return undefined
  return answered(edge, call)
}

async function answered({ engine, metricsPage }: EdgeContext, { headers }: HttpRequest): Promise<HttpReply> {
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
