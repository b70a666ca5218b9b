import type { ErrorCode } from './errors/codes.js'
import type { TypesOf } from './route.js'
import type { Schema } from './schema.js'

/** The schemas of one route: one for each member of its types; an empty object if it has no typed answer. */
export type RouteSchemas<R> = { readonly [Member in keyof TypesOf<R>]: Schema<TypesOf<R>[Member]> } & {
  /** Error codes of this route, besides those implied by its roles, body and path. */
  readonly problems: readonly ErrorCode[]
}

/** The schemas of a group of routes, by route name. */
export type SchemasOf<Group> = { readonly [Name in keyof Group]: RouteSchemas<Group[Name]> }
