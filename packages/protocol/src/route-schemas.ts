import type { ErrorCode } from './errors/codes.js'
import type { TypesOf } from './route.js'
import type { Schema } from './schema.js'

/** The schemas of one route: exactly the members that its types have; without a typed answer, the empty object. */
export type RouteSchemas<R> = { readonly [Member in keyof TypesOf<R>]: Schema<TypesOf<R>[Member]> } & {
  /** The codes that it may answer with beside those that follow from its line: of its callers, its body, its path. */
  readonly problems: readonly ErrorCode[]
}

/** Route name → schemas, of one group. */
export type SchemasOf<Group> = { readonly [Name in keyof Group]: RouteSchemas<Group[Name]> }
