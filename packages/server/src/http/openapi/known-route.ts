import type { ErrorCode, RouteLine } from '@godwit/protocol'
import type { JsonSchema } from '@godwit/protocol/schemas'
import type { RouteDocs } from './contract.js'

export interface AnyRouteSchemas {
  readonly query?: JsonSchema
  readonly body?: JsonSchema
  readonly answer?: JsonSchema
  /** The codes that are the route's alone. */
  readonly problems: readonly ErrorCode[]
}

/** A route with all that is known of it. */
export interface KnownRoute {
  readonly group: string
  readonly name: string
  readonly line: RouteLine
  readonly schemas: AnyRouteSchemas
  readonly docs: RouteDocs
  readonly problems: readonly ErrorCode[]
}
