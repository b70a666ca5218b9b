import {
  CLIENT_ID_HEADER,
  HINT_HEADER,
  type Parameters,
  QUERY_HEADER,
  type RouteLine,
  type Routes,
} from '@godwit/protocol'
import { BYTES_TYPE } from '../../base/text-reply.js'
import { responsesOf } from './answers.js'
import type { Components } from './components.js'
import type { KnownRoute } from './known-route.js'

/** An OpenAPI operation as plain data. */
export type OpenApiOperation = Readonly<Record<string, unknown>>

/** Returns a route as an OpenAPI operation, and adds its schemas to `components`. */
export function operationOf(known: KnownRoute, components: Components): OpenApiOperation {
  const { group, name, line, schemas, docs } = known
  const parameters = [
    ...pathParameters(line),
    ...clientParameter(line),
    ...hintParameter(line),
    ...queryHeaderParameter(line),
    ...queryParameters(known, components),
  ]
  return {
    operationId: `${group}.${name}`,
    tags: [group],
    summary: firstSentence(docs.description),
    description: docs.description,
    'x-roles': line.roles,
    ...(docs.call !== undefined && { 'x-admin-client': docs.call }),
    security: securityOf(line),
    ...(parameters.length > 0 && { parameters }),
    ...(schemas.body && {
      requestBody: {
        required: line.bodyOptional !== true && line.bytes !== true,
        content: {
          [line.bytes ? BYTES_TYPE : 'application/json']: { schema: components.refer(schemas.body, docs.body) },
        },
      },
    }),
    responses: responsesOf(known, components),
  }
}

const firstSentence = (text: string): string => (/^.*?[.;](?=\s|$)/s.exec(text)?.[0] ?? text).replace(/[.;]$/, '')

/** Devices use a session, other callers a token; any one of the roles suffices. */
function securityOf({ roles }: RouteLine): readonly object[] {
  if (roles.includes('open')) return []
  if (roles.includes('device')) return [{ session: ['device'] }, { sessionCookie: ['device'] }]
  return roles.map(role => ({ apiToken: [role] }))
}

function pathParameters({ path }: RouteLine): readonly object[] {
  return [...path.matchAll(/<([^>]+)>/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: PARAMETERS[name as keyof typeof PARAMETERS],
    schema: { type: 'string', minLength: 1 },
  }))
}

function clientParameter({ client, clientInQuery }: RouteLine): readonly object[] {
  if (!client) return []
  const description = `The client (device) that asks; one of the session's user.${clientInQuery ? ' Where it is missing, the query names the client.' : ''}`
  return [{ name: CLIENT_ID_HEADER, in: 'header', required: !clientInQuery, description, schema: { type: 'string' } }]
}

function hintParameter({ hint }: RouteLine): readonly object[] {
  if (!hint) return []
  const description = '`1`: an event made the device ask.'
  return [{ name: HINT_HEADER, in: 'header', required: false, description, schema: { type: 'string', enum: ['1'] } }]
}

function queryHeaderParameter({ queryInHeader }: RouteLine): readonly object[] {
  if (!queryInHeader) return []
  const description =
    'The query, where the address bears none: `hash=…&size=…&offset=…`. A page of another origin asks for leave once per address.'
  return [{ name: QUERY_HEADER, in: 'header', required: false, description, schema: { type: 'string' } }]
}

function queryParameters({ line, schemas: { query }, docs }: KnownRoute, components: Components): readonly object[] {
  if (!query) return []
  const required = (query['required'] ?? []) as readonly string[]
  return Object.entries(components.membersOf(query, docs.query)).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name) && line.queryInHeader !== true,
    ...(description !== undefined && { description }),
    schema,
  }))
}

type ParameterNames<Table> = { [Name in keyof Table]: keyof Parameters<Table[Name]> }[keyof Table]

/** The descriptions of path parameters. A missing one does not compile. */
const PARAMETERS: {
  readonly [Name in { [Group in keyof Routes]: ParameterNames<Routes[Group]> }[keyof Routes]]: string
} = {
  bulk_id: 'The id of a bulk file, as its answer gives it.',
  client_id: 'The id of a client (device).',
  doc: 'The name of a document.',
  hash: 'SHA-256 of a blob or a bulk file, in 64 lower-case hexadecimal digits.',
  mutation_id: 'The id of a mutation, as the list of undecided ones gives it.',
  partition_type: '`app`: one copy for all users. `user`: one for each.',
  refusal_id: 'The id of a refused mutation, as the list of refusals gives it.',
  source_id: 'The name of a source.',
  source_name: 'The name of a source.',
  session_id: 'The id of a session, as the list of sessions gives it; never the session itself.',
  token_id: 'The id of a token, as the list of tokens gives it; never the token itself.',
  user_id: 'A login. `*` means the shared partition of an app source, where a source is named too.',
}
