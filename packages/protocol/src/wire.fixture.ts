import {
  DEFAULT_PAGE_SIZE,
  MAX_BLOB_UPLOAD,
  MAX_MUTATIONS,
  MAX_PAGE_SIZE,
  MAX_PULLS,
  MAX_PUSH_BYTES,
  MAX_WAS_VALUE,
} from './device/limits.js'
import { RETRYABLE_CODES } from './errors/codes.js'
import { ERROR_CODES } from './errors/meanings.js'
import { problemSchema } from './errors/problem.js'
import * as headers from './headers.js'
import { MAX_BODY_DEPTH, MAX_ID_BYTES } from './object-map.js'
import type { RouteLine } from './route.js'
import { routes } from './routes.js'
import { schemas } from './schemas.js'
import { PROTOCOL_VERSION } from './version.js'

/** Returns the wire contract as JSON, as pinned in wire.pins.json. */
export function wireContract(): Readonly<Record<string, unknown>> {
  return {
    version: PROTOCOL_VERSION,
    headers: { ...headers },
    limits: {
      MAX_BODY_DEPTH,
      MAX_ID_BYTES,
      MAX_MUTATIONS,
      MAX_PUSH_BYTES,
      MAX_WAS_VALUE,
      MAX_BLOB_UPLOAD,
      DEFAULT_PAGE_SIZE,
      MAX_PAGE_SIZE,
      MAX_PULLS,
    },
    routes: routeLines(),
    codes: Object.keys(ERROR_CODES),
    retryableCodes: [...RETRYABLE_CODES],
    schemas: { problem: problemSchema, ...messageSchemas() },
  }
}

/** Returns the schemas of all routes, without their problems. */
const messageSchemas = (): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(schemas).map(([group, table]) => [
      group,
      Object.fromEntries(
        Object.entries<{ readonly problems: unknown }>(table).map(([name, { problems: _, ...members }]) => [
          name,
          members,
        ]),
      ),
    ]),
  )

const routeLines = (): readonly string[] =>
  Object.entries(routes).flatMap(([group, table]) =>
    Object.entries<RouteLine>(table).map(
      ([name, { method, path, roles, client, bodyOptional, bytes }]) =>
        `${group}.${name}: ${method} ${path} ${roles}${client ? ' client' : ''}${bodyOptional ? ' body?' : ''}${bytes ? ' bytes' : ''}`,
    ),
  )
