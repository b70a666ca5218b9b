import { isSyncError } from '@godwit/protocol'
import { short } from '../audit/entry.js'
import type { ServerEngine } from '../engine.js'
import { messageOf } from '../sources/refusal.js'
import type { AnyRequest, Caller } from './handler.js'
import type { Call, Reply } from './http-request.js'
import type { Match } from './router.js'

export interface Recorded {
  readonly match: Match
  readonly caller: Caller
  readonly call: Call
  readonly address: string
}

/**
 * Does the work of a route that the audit tells of, and answers when the entry is kept: what cannot be recorded is not reported as done.
 * `seen` is told the request, once it was read.
 */
export async function onRecord(
  engine: ServerEngine,
  recorded: Recorded,
  work: (seen: (request: AnyRequest) => void) => Promise<Reply>,
): Promise<Reply> {
  let request: AnyRequest | undefined
  const end = (result: string): Promise<void> => record(engine, recorded, { request, result })
  let reply: Reply
  try {
    reply = await work(read => {
      request = read
    })
  } catch (error) {
    await end(isSyncError(error) ? error.code : 'internal').catch(failure =>
      engine.log.error({ error: messageOf(failure) }, 'a refused call is missing in the audit'),
    )
    throw error
  }
  await end('ok')
  return reply
}

async function record(
  engine: ServerEngine,
  { match: { endpoint, parameters }, caller, address }: Recorded,
  { request, result }: { readonly request: AnyRequest | undefined; readonly result: string },
): Promise<void> {
  const said = await endpoint.audited?.(engine, { caller, request, result })
  if (!said) return
  const about = Object.fromEntries(
    Object.entries({ ...parameters, ...said.about }).map(([name, value]) => [name, short(value)]),
  )
  const time = new Date(engine.clock()).toISOString()
  await engine.auditor.record({ ...said, time, action: endpoint.name, about, address, result })
}
