import type { ErrorCode, RouteLine } from '@godwit/protocol'
import type { JsonSchema } from '@godwit/protocol/schemas'
import type { RouteDocs } from './contract.js'

export interface AnyRouteSchemas {
  readonly query?: JsonSchema
  readonly body?: JsonSchema
  readonly answer?: JsonSchema
  /** The error codes specific to the route. */
  readonly problems: readonly ErrorCode[]
}

/** A route with its schemas, docs and problems. */
export interface KnownRoute {
  readonly group: string
  readonly name: string
  readonly line: RouteLine
  readonly schemas: AnyRouteSchemas
  readonly docs: RouteDocs
  readonly problems: readonly ErrorCode[]
}
