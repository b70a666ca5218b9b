import type { Answer, Body, Parameters, Query, Role, Routes } from '@godwit/protocol'
import type { Engine } from '../engine.js'

/** Who calls. */
export interface Caller {
  readonly role: Role
  /** Undefined for `open`. */
  readonly login?: string
  /** The random id of a device user. */
  readonly userId?: string
  /** The credential behind the call. */
  readonly credential?: string
  /** The client named by the header, checked to be the caller's own; only on routes of a device that need it. */
  readonly client?: ClientRecord
}

/** A client (device) as the registry keeps it. */
export interface ClientRecord {
  readonly id: string
  readonly user: string
  /** Source → nonce: another than in a token voids the token. `*` counts for all sources. */
  readonly nonces: { readonly [source: string]: string }
}

/** A request that was matched, allowed and checked. */
export interface Request<R> {
  readonly parameters: Parameters<R>
  readonly query: Query<R>
  readonly body: Body<R>
  readonly caller: Caller
  /** Aborted when the caller is gone. */
  readonly signal: AbortSignal
  /** Lower-case names. */
  readonly headers: { readonly [name: string]: string | undefined }
}

/** An answer that is already text, or has headers of its own. */
export class Prepared {
  readonly text: string
  readonly type: string
  readonly headers: { readonly [name: string]: string | readonly string[] }

  constructor(
    text: string,
    options: { type?: string; headers?: { readonly [name: string]: string | readonly string[] } } = {},
  ) {
    this.text = text
    this.type = options.type ?? 'application/json; charset=utf-8'
    this.headers = options.headers ?? {}
  }
}

export type Handler<R> = (engine: Engine, request: Request<R>) => Promise<Answer<R> | Prepared> | Answer<R> | Prepared

/** Route name → verb, for one group of the route table. A route without a handler does not compile. */
export type Handlers<Group> = { readonly [Name in keyof Group]: Handler<Group[Name]> }

export type AllHandlers = { readonly [Group in keyof Routes]: Handlers<Routes[Group]> }
