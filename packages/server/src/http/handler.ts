import type { Answer, Body, JsonValue, Parameters, Query, Role, Routes } from '@godwit/protocol'
import type { WriterOrigin } from '@godwit/store'
import type { ServerEngine } from '../engine.js'
import { type Download, type EventStreamReply, type StreamReply, TextReply } from '../text-reply.js'
import type { ClientRecord } from '../users/client-record.js'

export { type ClientRecord, TextReply }

/** Who calls. */
export interface Caller {
  readonly role: Role
  /** Undefined for `open`. */
  readonly login?: string
  /** The random id of a device user. */
  readonly userId?: string
  /** The credential behind the call. */
  readonly credential?: string
  /** The client that the header or the path names, checked to be the caller's own; only on routes that have one. */
  readonly client?: ClientRecord
}

/** The author that the change log records for what a request writes; undefined without a login. */
export const originOf = ({ login }: Caller, kind: WriterOrigin['kind']): WriterOrigin | undefined =>
  login === undefined ? undefined : { kind, login }

/** What every request has, whatever its route. */
export interface AnyHandlerRequest {
  readonly parameters: { readonly [name: string]: string }
  readonly query: unknown
  readonly body: unknown
  readonly caller: Caller
  /** It came over https. */
  readonly secure: boolean
  /** The remote address; '' where there is none. */
  readonly address: string
  /** Aborted when the caller is gone. */
  readonly signal: AbortSignal
  /** Lower-case names. */
  readonly headers: { readonly [name: string]: string | undefined }
}

/** A request that was matched, allowed and checked. */
export interface HandlerRequest<R> extends AnyHandlerRequest {
  readonly parameters: Parameters<R>
  readonly query: Query<R>
  readonly body: Body<R>
}

type HandlerAnswer<R> = Answer<R> | TextReply | StreamReply | EventStreamReply | Download

/** Answers a route, at once or later. */
export type Handler<R> = (
  engine: ServerEngine,
  request: HandlerRequest<R>,
) => Promise<HandlerAnswer<R>> | HandlerAnswer<R>

/** A call that is over. */
export interface CompletedCall<Request = AnyHandlerRequest> {
  readonly caller: Caller
  /** Undefined where the call was refused before its body was read. */
  readonly request: Request | undefined
  readonly result: string
}

/** Who did it, and what tells of the change: never a secret, never the contents of objects and documents. */
export interface AuditFacts {
  readonly login: string | null
  readonly role: Role | null
  readonly about: { readonly [name: string]: JsonValue }
}

/** What the audit says of a call. Undefined: nothing. */
export type AuditRule<Request = AnyHandlerRequest> = (
  engine: Pick<ServerEngine, 'store'>,
  call: CompletedCall<Request>,
) => Promise<AuditFacts | undefined>

/**
 * A handler whose calls the audit tells of: of each route by which an operator, a plugin or an admin changes how the server is set up, who may use it and
 * what it holds. Data that backends push and pings have none, as each entry waits for the disk.
 */
export interface AuditedHandler<R> {
  readonly handle: Handler<R>
  readonly audit: AuditRule<HandlerRequest<R>>
}

/** Route name → what answers it, for one group of the route table. A route without a handler does not compile. */
export type Handlers<Group> = { readonly [Name in keyof Group]: Handler<Group[Name]> | AuditedHandler<Group[Name]> }

export type AllHandlers = { readonly [Group in keyof Routes]: Handlers<Routes[Group]> }
