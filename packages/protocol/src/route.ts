import type { Role } from './roles.js'

/** The names of a path: `/rc/v1/users/<user_id>` → `'user_id'`. */
export type PathParameters<Path extends string> = Path extends `${string}<${infer Name}>${infer Rest}`
  ? Name | PathParameters<Rest>
  : never

/** What a route takes and gives. A member that is left out: the route has none. */
export interface RouteTypes {
  /** The members of the query string; values are text on the wire and read by the schema's types. */
  query?: unknown
  /** The JSON body; of a route of bytes, the bytes. */
  body?: unknown
  /** The JSON answer, `{}` where left out. A file is a `Uint8Array`, in whole or in the part asked for. */
  answer?: unknown
}

/** The HTTP methods of routes. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Method, path and roles of a route: what clients and servers need of it at run time. */
export interface RouteLine<Path extends string = string> {
  readonly method: Method
  /** Parameters in angle brackets, percent-decoded by the server. */
  readonly path: Path
  /** The roles that may call it, and roles that include them. */
  readonly roles: readonly Role[]
  /** A device names its client in the header `X-Sync-CLIENT-ID`. */
  readonly client?: boolean
  /** … or, without the header, in the query as `client_id`. */
  readonly clientInQuery?: boolean
  /** The header `X-Sync-QUERY` may carry the query where the address bears none. */
  readonly queryInHeader?: boolean
  /** The header `X-Sync-HINT` may say that an event asked for it. */
  readonly hint?: boolean
  /** The body may be absent altogether; it then counts as `{}`. */
  readonly bodyOptional?: boolean
  /** The body is bytes (application/octet-stream), not JSON; it may be empty. */
  readonly bytes?: boolean
  /** Largest body in bytes. Default 1 MiB. */
  readonly bodyLimit?: number
}

declare const types: unique symbol

/** A light line with its types attached; its schemas stand in `schemas.ts` and its handler in the server, under the same name. */
export type Route<Types extends RouteTypes = RouteTypes, Path extends string = string> = RouteLine<Path> & {
  readonly [types]?: Types
}

/** The types of query, body and answer of the route `R`. */
export type TypesOf<R> = R extends { readonly [types]?: infer Types }
  ? Types extends RouteTypes
    ? Types
    : never
  : never
/** The path of the route `R`, as a literal type. */
export type PathOf<R> = R extends RouteLine<infer Path> ? Path : never
/** The parameters in the path of the route `R`, by name. */
export type Parameters<R> = { readonly [Name in PathParameters<PathOf<R>>]: string }
type Member<Types, Name extends keyof RouteTypes, Otherwise> = Types extends { [N in Name]: infer Value }
  ? Value
  : Otherwise
/** The query string that the route `R` takes; undefined where it takes none. */
export type Query<R> = Member<TypesOf<R>, 'query', undefined>
/** The body that the route `R` takes; undefined where it takes none. */
export type Body<R> = Member<TypesOf<R>, 'body', undefined>
/** The body of the answer of the route `R`; `{}` where it has none. */
export type Answer<R> = Member<TypesOf<R>, 'answer', Record<string, never>>

/** `route<{ body: PushObjects; answer: Pushed }>()({ method: 'POST', path: '…', roles: ['plugin'] })` */
export const route =
  <Types extends RouteTypes = Record<never, never>>() =>
  <const Path extends string>(line: RouteLine<Path>): Route<Types, Path> =>
    line

/** Fills the parameters of a path, percent-encoded: `fillPath('/users/<id>', { id: 'a/b' })` → `/users/a%2Fb`. */
export function fillPath<Path extends string>(
  path: Path,
  parameters: { readonly [Name in PathParameters<Path>]: string },
): string {
  return path.replace(/<([^>]+)>/g, (_, name: string) =>
    encodeURIComponent((parameters as Record<string, string>)[name] ?? ''),
  )
}
