import type { Role } from './roles.js'

/** The parameter names of a path: `/rc/v1/users/<user_id>` → `'user_id'`. */
export type PathParameters<Path extends string> = Path extends `${string}<${infer Name}>${infer Rest}`
  ? Name | PathParameters<Rest>
  : never

/** The types of a route's query, body and answer. The route has none of those that are absent. */
export interface RouteTypes {
  /** The members of the query string. Values are text on the wire and converted as the schema says. */
  query?: unknown
  /** The JSON body; for a route with `bytes`, the bytes. */
  body?: unknown
  /** The JSON response, `{}` if absent. A file is a `Uint8Array`, or a range of it if requested. */
  answer?: unknown
}

/** The HTTP methods of routes. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Method, path, roles and options of a route, for clients and servers at run time. */
export interface RouteLine<Path extends string = string> {
  readonly method: Method
  /** Parameters are in angle brackets; the server percent-decodes their values. */
  readonly path: Path
  /** The roles that may call the route; roles that include one of them may too. */
  readonly roles: readonly Role[]
  /** If true, the header `X-Sync-CLIENT-ID` names the client. */
  readonly client?: boolean
  /** If true, the query member `client_id` names the client when the header is absent. */
  readonly clientInQuery?: boolean
  /** If true, the header `X-Sync-QUERY` may contain the query when the URL has none. */
  readonly queryInHeader?: boolean
  /** If true, the header `X-Sync-HINT` may mark a request that an event caused. */
  readonly hint?: boolean
  /** If true, the body may be absent and then counts as `{}`. */
  readonly bodyOptional?: boolean
  /** If true, the body is bytes (application/octet-stream) instead of JSON; it may be empty. */
  readonly bytes?: boolean
  /** Maximum size of the body, in bytes. Default 1 MiB. */
  readonly bodyLimit?: number
}

declare const types: unique symbol

/** A route line with its types attached. Its schemas are in `schemas.ts` and its handler in the server, under the same name. */
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
/** The query string of the route `R`; undefined if it has none. */
export type Query<R> = Member<TypesOf<R>, 'query', undefined>
/** The body of the route `R`; undefined if it has none. */
export type Body<R> = Member<TypesOf<R>, 'body', undefined>
/** The response body of the route `R`; `{}` if it has none. */
export type Answer<R> = Member<TypesOf<R>, 'answer', Record<string, never>>

/** Defines a route: `route<{ body: PushObjects; answer: WriteResult }>()({ method: 'POST', path: '…', roles: ['plugin'] })` */
export const route =
  <Types extends RouteTypes = Record<never, never>>() =>
  <const Path extends string>(line: RouteLine<Path>): Route<Types, Path> =>
    line

/** Fills in the parameters of a path, percent-encoded: `fillPath('/users/<id>', { id: 'a/b' })` → `/users/a%2Fb`. */
export function fillPath<Path extends string>(
  path: Path,
  parameters: { readonly [Name in PathParameters<Path>]: string },
): string {
  return path.replace(/<([^>]+)>/g, (_, name: string) =>
    encodeURIComponent((parameters as Record<string, string>)[name] ?? ''),
  )
}
