import type { OpenApiOperation } from '../openapi/operation.js'
import { escapeHtml, prose, sentence, table } from './html.js'
import { type NamedSchemas, sampleOf } from './sample.js'
import { type AnySchema, kindOf, nameOf } from './schema-text.js'

type MediaTypes = { readonly [type: string]: { readonly schema: AnySchema } }

/** An operation of the server's own OpenAPI document. */
export interface KnownOperation extends OpenApiOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly 'x-roles': readonly string[]
  readonly 'x-admin-client'?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: MediaTypes }
  readonly responses: { readonly [status: string]: { readonly description: string; readonly content?: MediaTypes } }
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: AnySchema
}

/** An operation with its method, its path and the schemas that it refers to. */
export interface DocumentedOperation {
  readonly method: string
  readonly path: string
  readonly operation: KnownOperation
  readonly schemas: NamedSchemas
}

/** Returns one route as a line that opens to its details. */
export function operationHtml(place: DocumentedOperation): string {
  const { method, path, operation } = place
  const { operationId, summary, description } = operation
  const roles = operation['x-roles'].map(role => `<span class="role ${role}">${role}</span>`).join(' ')
  return `<details class="operation" id="${operationId}">
<summary><span class="method ${method}">${method.toUpperCase()}</span> <code class="path">${pathHtml(path)}</code>
<span class="about">${sentence(summary)}</span> <span class="roles">${roles}</span></summary>
<div class="body">
${prose(description)}
${part('Parameters', table(['name', 'in', 'kind', 'meaning'], (operation.parameters ?? []).map(parameterRow)))}
${bodyHtml(place)}
${answerHtml(place)}
${part('Problems', problemsHtml(operation))}
${part('Example', examplesHtml(place))}
<p class="self"><a href="#${operationId}">Link to this route</a></p>
</div>
</details>`
}

/** Returns the fields of a message with their meanings. */
export function fieldsHtml(schema: AnySchema): string {
  const rows = Object.entries(schema.properties ?? {}).map(([name, member]) => [
    `<code>${escapeHtml(name)}</code>${schema.required?.includes(name) ? '' : OPTIONAL}`,
    kindOf(member),
    prose(member.description ?? ''),
  ])
  return table(['field', 'kind', 'meaning'], rows)
}

const OPTIONAL = ' <span class="optional">optional</span>'
const part = (title: string, content: string): string => (content === '' ? '' : `<h4>${title}</h4>${content}`)
const pathHtml = (path: string): string => escapeHtml(path).replace(/\{[^}]+\}/g, '<var>$&</var>')

const parameterRow = ({ name, in: where, required, description = '', schema }: Parameter): readonly string[] => [
  `<code>${escapeHtml(name)}</code>${required ? '' : OPTIONAL}`,
  where,
  kindOf(schema),
  sentence(description),
]

function bodyHtml({ operation: { requestBody }, schemas }: DocumentedOperation): string {
  if (!requestBody) return ''
  const [schema = {}] = Object.values(requestBody.content).map(content => content.schema)
  return part(requestBody.required ? 'Body' : 'Body, which may be left out', messageHtml(schema, schemas))
}

function answerHtml({ operation: { responses }, schemas }: DocumentedOperation): string {
  const answers = Object.entries(responses['200']?.content ?? {}).map(
    ([type, { schema }]) => `<p class="type"><code>${escapeHtml(type)}</code></p>${messageHtml(schema, schemas)}`,
  )
  return part('Answer', answers.join(''))
}

/** Returns the kind of a value and, for a message or a list of them, its fields. */
function messageHtml(schema: AnySchema, schemas: NamedSchemas): string {
  const ref = schema.$ref ?? schema.items?.$ref
  const message = ref === undefined ? undefined : schemas[nameOf(ref)]
  if (!message && !schema.description) return `<p>${isEmpty(schema) ? 'The empty object.' : kindOf(schema)}</p>`
  const about = message
    ? `${kindOf(schema)}: ${sentence(message.description ?? '')}`
    : sentence(schema.description ?? '')
  return `<p>${about}</p>${message ? fieldsHtml(message) : ''}`
}

const isEmpty = ({ properties, additionalProperties }: AnySchema): boolean =>
  additionalProperties === false && Object.keys(properties ?? {}).length === 0

function problemsHtml({ responses }: KnownOperation): string {
  const lines = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, { content }]) => {
      const [schema] = Object.values(content ?? {}).map(one => one.schema)
      const codes = (schema?.properties?.['code']?.enum ?? []) as readonly string[]
      return `<dt>${status}</dt><dd>${codes.map(code => `<a href="docs/errors#${code}"><code>${code}</code></a>`).join(' ')}</dd>`
    })
  return `<dl class="problems">${lines.join('')}</dl>`
}

function examplesHtml(place: DocumentedOperation): string {
  const call = place.operation['x-admin-client']
  return `<pre tabindex="0"><code>${curl(place)}</code></pre>${
    call === undefined ? '' : `<pre tabindex="0"><code>await ${escapeHtml(call)}</code></pre>`
  }`
}

/** Returns a command that runs when copied; values that only the reader knows are shell variables. */
function curl({ method, path, operation, schemas }: DocumentedOperation): string {
  const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) =>
    name.endsWith('_id') && !/^(user|source)/.test(name)
      ? `$${name.toUpperCase()}`
      : String(sampleOf({ type: 'string' }, schemas, { member: name })),
  )
  const required = (operation.parameters ?? []).filter(one => one.in === 'query' && one.required)
  const query = required.map(({ name, schema }) => `${name}=${String(sampleOf(schema, schemas, { member: name }))}`)
  const address = `<span class="origin">http://127.0.0.1:8675</span>${escapeHtml(filled)}${query.length > 0 ? `?${escapeHtml(query.join('&'))}` : ''}`
  const lines = [`curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"${address}"`, ...headers(operation)]
  const [[type, body] = []] = Object.entries(operation.requestBody?.content ?? {})
  if (body) {
    const isJson = type === 'application/json'
    const sample = isJson ? `-d '${escapeHtml(JSON.stringify(sampleOf(body.schema, schemas)))}'` : '--data-binary @part'
    lines.push(`-H 'Content-Type: ${type}'`, sample)
  }
  return lines.join(' \\\n  ')
}

function headers({ 'x-roles': roles, parameters = [] }: KnownOperation): readonly string[] {
  const client = parameters.filter(one => one.in === 'header').map(({ name }) => `-H "${name}: $CLIENT_ID"`)
  if (roles.includes('open')) return []
  return roles.includes('device')
    ? [`-H "Authorization: Bearer $SESSION"`, ...client]
    : [`-H "X-Sync-API-TOKEN: $TOKEN"`]
}
