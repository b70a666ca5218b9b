import type { AnyBackendCall, Attributes } from '@godwit/protocol'
import type { CallContext, PluginSource, WriteCallContext } from './plugin-source.js'
import { isStream, ndjsonResponse } from './stream.js'

/** Decides whether a user may log in on devices; attributes are those of a new user. */
export type PluginAuthenticate = (
  login: string,
  password: string,
) => boolean | { readonly attributes: Attributes } | Promise<boolean | { readonly attributes: Attributes }>

/** What serves the calls. */
export interface CallHandlers {
  // biome-ignore lint/suspicious/noExplicitAny: sources of different attributes
  readonly sources: { readonly [name: string]: PluginSource<any> }
  readonly authenticate?: PluginAuthenticate | undefined
}

const json = (value: unknown, status = 200): Response => Response.json(value, { status })

/** Nothing is returned: the change was made as it was sent. */
const done = (): Response => new Response(null, { status: 204 })

/** 404 without a message: the server takes it for a failure, and never for a refusal that rolls a change back. */
const missing = (what: string): Response => new Response(`There is no ${what} here.\n`, { status: 404 })

/** Runs a verified call, and returns its response. Rejects with the error of the source. */
export async function runCall(
  { sources, authenticate }: CallHandlers,
  call: AnyBackendCall,
  signal: AbortSignal,
): Promise<Response> {
  if (call.operation === 'authenticate') {
    if (authenticate === undefined) return missing('authenticate')
    const verdict = await authenticate(call.login, call.password)
    return verdict === false ? json({}, 401) : json(verdict === true ? {} : verdict)
  }
  const source = Object.hasOwn(sources, call.resource) ? (sources[call.resource] as PluginSource) : undefined
  if (source === undefined) return missing(`source ${call.resource}`)
  const { user, partition, claims = {} } = call
  return runOnSource(source, call, { user, claims, partition, signal })
}

type SourceCall = Exclude<AnyBackendCall, { readonly operation: 'authenticate' }>

async function runOnSource(source: PluginSource, call: SourceCall, context: CallContext): Promise<Response> {
  const method = source[call.operation]
  if (method === undefined) return missing(`${call.operation} of ${call.resource}`)
  switch (call.operation) {
    case 'query': {
      const found = source.query?.({ ...context, parameters: call.parameters ?? {} })
      return isStream(found) ? ndjsonResponse(found) : json((await found) ?? {})
    }
    case 'changes':
      return ndjsonResponse(source.changes?.({ ...context, cursor: call.cursor }) ?? empty())
    case 'get':
      return json((await source.get?.(call.ids, context)) ?? {})
    case 'search': {
      const { search, offset, max_results: limit } = call
      return json((await source.search?.(search, { ...context, offset, limit })) ?? {})
    }
    default:
      return runWrite(source, call, { ...context, idempotencyKey: call.idempotency_key })
  }
}

type WriteCall = Extract<SourceCall, { readonly idempotency_key: string }>

async function runWrite(source: PluginSource, call: WriteCall, context: WriteCallContext): Promise<Response> {
  if (call.operation === 'delete') {
    await source.delete?.(call.id, context)
    return done()
  }
  const answer =
    call.operation === 'create'
      ? await source.create?.(call.attributes, context)
      : await source.update?.(call.id, call.attributes, context)
  if (answer === undefined) return done()
  return json(typeof answer === 'bigint' ? String(answer) : answer)
}

async function* empty(): AsyncGenerator<never> {}
