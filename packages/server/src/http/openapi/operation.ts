import { CLIENT_ID_HEADER, HINT_HEADER, type RouteLine } from '@godwit/protocol'
import type { JsonSchema } from '@godwit/protocol/schemas'
import { BYTES_TYPE } from '../../text-reply.js'
import { responsesOf } from './answers.js'
import type { Components } from './components.js'
import type { RouteDocs } from './contract.js'
import type { KnownRoute } from './known-route.js'
import { PARAMETERS } from './parameters.js'

/** An operation of OpenAPI, as plain data. */
export type Operation = Readonly<Record<string, unknown>>

export function operationOf(known: KnownRoute, components: Components): Operation {
  const { group, name, line, schemas, docs } = known
  const parameters = [
    ...pathParameters(line),
    ...clientParameter(line),
    ...hintParameter(line),
    ...queryParameters(schemas.query, docs, components),
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

/** A device has a session, everybody else a token; any one of the roles will do. */
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

function queryParameters(query: JsonSchema | undefined, docs: RouteDocs, components: Components): readonly object[] {
  if (!query) return []
  const required = (query['required'] ?? []) as readonly string[]
  return Object.entries(components.membersOf(query, docs.query)).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }))
}
