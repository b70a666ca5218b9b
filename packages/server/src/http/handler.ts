import type { Answer, Body, JsonValue, Parameters, Query, Role, Routes } from '@godwit/protocol'
import type { WriterOrigin } from '@godwit/store'
import type { ReplyLease } from '../accounts/quota/reply-budget.js'
import type { ClientRecord } from '../accounts/users/client-record.js'
import { type Download, type EventStreamReply, type StreamReply, TextReply } from '../base/text-reply.js'
import type { HttpEngine } from './http-engine.js'

export { type ClientRecord, TextReply }

/** The identified caller of a request. */
export interface Caller {
  readonly role: Role
  /** Undefined for `open`. */
  readonly login?: string
  /** The random id of a device user. */
  readonly userId?: string
  /** The id of the session or token. */
  readonly credential?: string
  /** The client named by the header or path, verified to belong to the caller; only on routes that have one. */
  readonly client?: ClientRecord
}

/** The author that the change log records for what a request writes; undefined without a login. */
export const originOf = ({ login }: Caller, kind: WriterOrigin['kind']): WriterOrigin | undefined =>
  login === undefined ? undefined : { kind, login }

/** The members of every request, whatever its route. */
export interface AnyHandlerRequest {
  readonly parameters: { readonly [name: string]: string }
  readonly query: unknown
  readonly body: unknown
  readonly caller: Caller
  /** True if the request came over https. */
  readonly secure: boolean
  /** The remote address; '' if unknown. */
  readonly address: string
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal
  /** The bytes that the reply may use. */
  readonly lease: ReplyLease
  /** Lower-case names. */
  readonly headers: { readonly [name: string]: string | undefined }
}

/** A matched, authorised and validated request. */
export interface HandlerRequest<R> extends AnyHandlerRequest {
  readonly parameters: Parameters<R>
  readonly query: Query<R>
  readonly body: Body<R>
}

type HandlerAnswer<R> = Answer<R> | TextReply | StreamReply | EventStreamReply | Download

/** Handles a route, synchronously or not. */
export type Handler<R> = (
  engine: HttpEngine,
  request: HandlerRequest<R>,
) => Promise<HandlerAnswer<R>> | HandlerAnswer<R>

/** A completed call. */
export interface CompletedCall<Request = AnyHandlerRequest> {
  readonly caller: Caller
  /** Undefined if the call was refused before its body was read. */
  readonly request: Request | undefined
  readonly result: string
}

/** The author of a call and facts about the change, without secrets and without contents of objects or documents. */
export interface AuditFacts {
  readonly login: string | null
  readonly role: Role | null
  readonly about: { readonly [name: string]: JsonValue }
}

/** Returns the audit facts of a call; undefined if it is not recorded. */
export type AuditRule<Request = AnyHandlerRequest> = (
  engine: Pick<HttpEngine, 'store'>,
  call: CompletedCall<Request>,
) => Promise<AuditFacts | undefined>

/**
 * A handler with an audit rule, for each route by which an operator, plugin or admin changes the server's settings, users or data. Pushes of backends
 * and pings have none, since each entry waits for the disk.
 */
export interface AuditedHandler<R> {
  readonly handle: Handler<R>
  readonly audit: AuditRule<HandlerRequest<R>>
}

/** Route name → handler, for one group of the route table. A missing handler does not compile. */
export type Handlers<Group> = { readonly [Name in keyof Group]: Handler<Group[Name]> | AuditedHandler<Group[Name]> }

export type AllHandlers = { readonly [Group in keyof Routes]: Handlers<Routes[Group]> }
