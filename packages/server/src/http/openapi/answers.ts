import { type ErrorCode, PROBLEM_TYPE } from '@godwit/protocol'
import { emptyAnswerSchema, type JsonSchema } from '@godwit/protocol/schemas'
import { BYTES_TYPE, EVENTS_TYPE, JSON_TYPE, TEXT_TYPE } from '../../base/text-reply.js'
import { statusOf } from '../problem.js'
import type { Components } from './components.js'
import type { KnownRoute } from './known-route.js'

type ResponseContent = { readonly [type: string]: { readonly schema: JsonSchema } }

/** Returns the responses of a route by status: its result, then its problems. */
export function responsesOf(known: KnownRoute, components: Components): { readonly [status: string]: object } {
  const content = contentOf(known, components)
  return {
    '200': { description: 'Done.', content },
    ...(BYTES_TYPE in content && {
      '206': { description: 'The part that the header `Range` asks for.', content },
      '304': { description: 'The caller has it, as `If-None-Match` says.' },
    }),
    ...problemResponses(known.problems),
  }
}

const mediaOf = (type: string): string => type.split(';')[0] as string

/** The content types of results: JSON, files, text documents, the bare token of a login, and event streams. */
function contentOf({ group, name, schemas, docs }: KnownRoute, components: Components): ResponseContent {
  const schema = components.refer(schemas.answer ?? emptyAnswerSchema, docs.answer)
  if (schema['format'] === 'binary') return { [BYTES_TYPE]: { schema } }
  if (['device.events', 'operations.events'].includes(`${group}.${name}`)) return { [mediaOf(EVENTS_TYPE)]: { schema } }
  const json = mediaOf(JSON_TYPE)
  const text = mediaOf(TEXT_TYPE)
  if (`${group}.${name}` === 'system.login') {
    return { [json]: { schema }, [text]: { schema: { type: 'string', description: 'The bare token.' } } }
  }
  const { anyOf = [] } = schema as { anyOf?: readonly JsonSchema[] }
  const textPart = anyOf.find(part => part['type'] === 'string')
  if (!textPart) return { [json]: { schema } }
  const [jsonPart = {}] = anyOf.filter(part => part !== textPart)
  return { [json]: { schema: jsonPart }, [text]: { schema: textPart } }
}

/** Returns one response for each status, with its error codes. */
function problemResponses(codes: readonly ErrorCode[]): { readonly [status: string]: object } {
  const statuses = [...new Set(codes.map(statusOf))].sort((one, other) => one - other)
  return Object.fromEntries(
    statuses.map(status => {
      const those = codes.filter(code => statusOf(code) === status)
      const schema = { $ref: '#/components/schemas/Problem', properties: { code: { enum: those } } }
      return [
        String(status),
        { description: those.map(code => `\`${code}\``).join(', '), content: { [PROBLEM_TYPE]: { schema } } },
      ]
    }),
  )
}
