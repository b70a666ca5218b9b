import { API_TOKEN_HEADER, type ErrorCode, type RouteLine, type Routes, routes, SESSION_COOKIE } from '@godwit/protocol'
import { problemSchema, schemas } from '@godwit/protocol/schemas'
import { SERVER_VERSION } from '../../base/version.js'
import { Components } from './components.js'
import type { GroupDocs, RouteDocs } from './contract.js'
import { descriptions } from './descriptions.js'
import type { AnyRouteSchemas, KnownRoute } from './known-route.js'
import { type OpenApiOperation, operationOf } from './operation.js'

/** The parts of the document that the docs page reads. */
export interface OpenApi {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string; readonly 'x-displayName': string }[]
  readonly paths: { readonly [path: string]: { readonly [method: string]: OpenApiOperation } }
  readonly components: { readonly schemas: { readonly [name: string]: object }; readonly securitySchemes: object }
}

/** Returns the route table, its schemas and docs as an OpenAPI 3.1 document. */
export function openApiDocument(): OpenApi {
  const components = new Components()
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  for (const known of documentedRoutes()) {
    const path = known.line.path.replaceAll('<', '{').replaceAll('>', '}')
    paths[path] = { ...paths[path], [known.line.method.toLowerCase()]: operationOf(known, components) }
  }
  components.refer(problemSchema, 'Problem')
  return {
    openapi: '3.1.0',
    info: { title: 'Godwit', version: SERVER_VERSION, description: DESCRIPTION, ...LICENSE },
    servers: [{ url: '/', description: 'The server that serves this document.' }],
    tags: Object.entries(GROUP_TITLES).map(([name, title]) => ({
      name,
      description: (descriptions.groups[name] as GroupDocs).description,
      'x-displayName': title,
    })),
    paths,
    components: { schemas: components.all(), securitySchemes: SECURITY },
  }
}

/** The titles of the groups, in reading order. */
const GROUP_TITLES: { readonly [Group in keyof Routes]: string } = {
  system: 'System',
  store: 'Store',
  users: 'Users',
  readState: 'Read state',
  sources: 'Sources',
  clients: 'Clients',
  plugin: 'Plugin push operations',
  operations: 'Operations',
  device: 'Devices',
}

const DESCRIPTION =
  'A sync server between a backend and devices that are often offline. Errors are `application/problem+json` with a `code`; decide by the code.'
const LICENSE = { license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' } }

const SECURITY = {
  apiToken: { type: 'apiKey', in: 'header', name: API_TOKEN_HEADER, description: 'From POST /rc/v1/system/login.' },
  session: { type: 'http', scheme: 'bearer', description: "A device's session, from POST /rc/v1/app/login." },
  sessionCookie: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: 'The same session, in browsers.' },
}

function documentedRoutes(): readonly KnownRoute[] {
  return Object.entries(routes).flatMap(([group, lines]) =>
    Object.entries<RouteLine>(lines).map(([name, line]) => {
      const own = (schemas as Record<string, Record<string, AnyRouteSchemas>>)[group]?.[name] as AnyRouteSchemas
      const docs = (descriptions.groups[group] as GroupDocs).routes[name] as RouteDocs
      const problems = problemsOf(line, own)
      return { group, name, line, schemas: own, docs, problems }
    }),
  )
}

/** Returns every error code of a route, without duplicates. */
function problemsOf(line: RouteLine, { query, body, problems }: AnyRouteSchemas): readonly ErrorCode[] {
  const isRead = query !== undefined || body !== undefined || line.path.includes('<')
  return [
    ...new Set<ErrorCode>([
      ...callerProblems(line),
      ...(body !== undefined ? (['malformed_json', 'body_too_large', 'unsupported_media_type'] as const) : []),
      ...(isRead ? (['body_invalid'] as const) : []),
      ...(/<source_(id|name)>/.test(line.path) ? (['source_not_found'] as const) : []),
      ...problems,
      'store_unavailable',
      'internal',
    ]),
  ]
}

/** Returns the error codes that depend on the caller. */
function callerProblems({ roles, path, client }: RouteLine): readonly ErrorCode[] {
  if (roles.includes('open')) return []
  if (!roles.includes('device'))
    return ['token_missing', 'token_invalid', 'token_expired', 'origin_not_allowed', 'role_insufficient']
  return [
    'session_missing',
    'session_expired',
    'origin_not_allowed',
    ...(client ? (['client_missing'] as const) : []),
    ...(client || path.includes('<client_id>') ? (['client_not_found', 'not_your_client'] as const) : []),
  ]
}
