import { isSyncError } from '@godwit/protocol'
import { messageOf } from '@godwit/source'
import { truncateValue } from '../admin/audit/entry.js'
import type { AnyHandlerRequest, Caller } from './handler.js'
import type { HttpEngine } from './http-engine.js'
import type { HttpReply, HttpRequest } from './http-request.js'
import type { RouteMatch } from './router.js'

/** A request of a known caller. `address` is the caller's; empty on routes that are not audited. */
export interface AuditableRequest {
  readonly match: RouteMatch
  readonly caller: Caller
  readonly call: HttpRequest
  readonly address: string
}

/**
 * Runs the work of an audited route, and responds when the entry is stored: an unrecorded change is not reported as done. `seen` is called with the
 * request once it was read.
 */
export async function recordInAudit(
  engine: HttpEngine,
  recorded: AuditableRequest,
  work: (seen: (request: AnyHandlerRequest) => void) => Promise<HttpReply>,
): Promise<HttpReply> {
  let request: AnyHandlerRequest | undefined
  const end = (result: string): Promise<void> => record(engine, recorded, { request, result })
  let reply: HttpReply
  try {
    reply = await work(read => {
      request = read
    })
  } catch (error) {
    await end(isSyncError(error) ? error.code : 'internal').catch(failure =>
      engine.log.error({ error: messageOf(failure) }, 'could not record a refused call in the audit log'),
    )
    throw error
  }
  await end('ok')
  return reply
}

async function record(
  engine: HttpEngine,
  { match: { endpoint, parameters }, caller, address }: AuditableRequest,
  { request, result }: { readonly request: AnyHandlerRequest | undefined; readonly result: string },
): Promise<void> {
  const said = await endpoint.audited?.(engine, { caller, request, result })
  if (!said) return
  const about = Object.fromEntries(
    Object.entries({ ...parameters, ...said.about }).map(([name, value]) => [name, truncateValue(value)]),
  )
  const time = new Date(engine.clock()).toISOString()
  await engine.auditor.record({ ...said, time, action: endpoint.name, about, address, result })
}
