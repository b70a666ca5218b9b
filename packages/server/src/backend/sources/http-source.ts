import { type Attributes, isJsonObject, isSyncError, type JsonValue, type ObjectMap, SyncError } from '@godwit/protocol'
import {
  type ChangesPart,
  cursorGone,
  type Source,
  type SourceContext,
  type SourceMethods,
  type WriteContext,
} from '@godwit/source'
import type { Authenticate } from './authenticate.js'
import { type BackendAnswer, checkStatus, parseJson, readLines, readText } from './backend-answer.js'
import type { PluginBackend } from './plugin-backend.js'

const METHOD_NAMES = ['query', 'create', 'update', 'delete', 'search', 'login'] as const

/** Returns the source, served by the plugin backend where it was defined without functions. */
export const remoteSource = (backend: PluginBackend, source: Source): Source =>
  METHOD_NAMES.some(name => source.methods[name] !== undefined)
    ? source
    : {
        ...source,
        isRemote: true,
        methods: { ...source.methods, ...methodsOf(backend, source.name), ...readsOf(backend, source) },
      }

/** The methods that a backend has on demand. */
function readsOf(backend: PluginBackend, { name: resource, remoteMethods }: Source): SourceMethods<Attributes> {
  const place = placeOf(resource)
  const methods: Pick<Required<SourceMethods<Attributes>>, 'get' | 'changes'> = {
    async get(ids, context) {
      const response = await backend.send('get', { ...place(context), ids }, context.signal)
      await checkStatus(response)
      return parseJson(await readText(response)) as unknown as ObjectMap
    },
    async *changes(context) {
      const { cursor, signal } = context
      const response = await backend.send('changes', { ...place(context), cursor }, signal)
      if (response.statusCode === CURSOR_GONE) {
        response.destroy()
        throw cursorGone('the backend answered 410')
      }
      await checkStatus(response)
      yield* jsonPartsOf(response) as AsyncGenerator<ChangesPart<Attributes>>
    },
  }
  return {
    ...(remoteMethods.includes('get') && { get: methods.get }),
    ...(remoteMethods.includes('changes') && { changes: methods.changes }),
  }
}

const CURSOR_GONE = 410

/** Returns what every call of the source says of its context. */
const placeOf =
  (resource: string) =>
  ({ partition, user, claims }: SourceContext) => ({
    resource,
    partition,
    user,
    ...(Object.keys(claims).length > 0 && { claims }),
  })

function methodsOf(backend: PluginBackend, resource: string): SourceMethods<Attributes> {
  const place = placeOf(resource)
  const write = (context: WriteContext) => ({ ...place(context), idempotency_key: context.idempotencyKey })
  return {
    async *query(context) {
      const { parameters } = context
      const question = { ...place(context), ...(Object.keys(parameters).length > 0 && { parameters }) }
      const response = await backend.send('query', question, context.signal)
      await checkStatus(response)
      yield* jsonPartsOf(response) as AsyncGenerator<ObjectMap>
    },
    async create(attributes, context) {
      const sent = backend.send('create', { ...write(context), attributes }, context.signal)
      return createdFrom(await readWriteAnswer(sent, parseCreated))
    },
    async update(id, changes, context) {
      const attributes = changes as Attributes
      const answer = await readWriteAnswer(
        backend.send('update', { ...write(context), id, attributes }, context.signal),
      )
      return answer === undefined ? undefined : attributesOf(answer)
    },
    async delete(id, context) {
      await readWriteAnswer(backend.send('delete', { ...write(context), id }, context.signal))
    },
    async search(search, context) {
      const { offset, limit } = context
      const question = { ...place(context), search, offset, max_results: limit }
      return (await readWriteAnswer(backend.send('search', question, context.signal))) as ObjectMap | undefined
    },
  }
}

/** Returns an `authenticate` function that asks the backend. */
export const authenticateBy =
  (backend: PluginBackend): Authenticate =>
  async (login, password) => {
    const response = await backend.send('authenticate', { login, password })
    if (response.statusCode === 401 || response.statusCode === 403) {
      response.destroy()
      return false
    }
    const answer = await readWriteAnswer(Promise.resolve(response)).catch(error => {
      // A refused call is not a verdict on the password.
      if (isSyncError(error) && error.code === 'refused') throw new SyncError('backend_failed', error.message)
      throw error
    })
    if (answer === false) return false
    const attributes = isJsonObject(answer) ? answer['attributes'] : undefined
    return attributes === undefined ? true : { attributes: attributesOf(attributes) }
  }

/** Returns the response to a write: undefined if empty; an id may be plain text. */
async function readWriteAnswer(sent: Promise<BackendAnswer>, parse = parseJson): Promise<JsonValue | undefined> {
  const response = await sent
  await checkStatus(response)
  const text = (await readText(response)).trim()
  if (text === '') return undefined
  return typeOf(response).startsWith('text/plain') ? text : parse(text)
}

const typeOf = ({ headers }: BackendAnswer): string => headers['content-type']?.toLowerCase() ?? ''

/** Yields the lines of NDJSON, or the only value of JSON. */
async function* jsonPartsOf(response: BackendAnswer): AsyncGenerator<unknown> {
  if (!/ndjson|jsonl/.test(typeOf(response))) {
    yield parseJson(await readText(response))
    return
  }
  for await (const line of readLines(response)) {
    if (line.trim() !== '') yield parseJson(line)
  }
}

function createdFrom(
  answer: JsonValue | undefined,
): string | { readonly id?: string; readonly attributes?: Attributes } | undefined {
  if (answer === undefined || answer === null) return undefined
  if (isId(answer)) return String(answer)
  if (!isJsonObject(answer)) throw unexpectedAnswerError('an id or { id, attributes }', answer)
  const { id, attributes } = answer
  if (id !== undefined && id !== null && !isId(id)) throw unexpectedAnswerError('an id that is text or a number', id)
  return {
    ...(id !== undefined && id !== null && { id: String(id) }),
    ...(attributes !== undefined && { attributes: attributesOf(attributes) }),
  }
}

const isId = (value: JsonValue): value is string | number =>
  (typeof value === 'string' && value !== '') || (typeof value === 'number' && Number.isFinite(value))

function attributesOf(value: JsonValue): Attributes {
  if (isJsonObject(value)) return value
  throw unexpectedAnswerError('attributes by name', value)
}

const unexpectedAnswerError = (expected: string, came: JsonValue): SyncError =>
  new SyncError('backend_failed', `expected ${expected} from the backend, got ${kindOf(came)}.`)

const kindOf = (value: JsonValue): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : typeof value

/** Parses the response to a create. An id with more digits than a double holds becomes text, since as a number it would be another id. */
function parseCreated(text: string): JsonValue {
  const answer = parseJson(text)
  if (typeof answer === 'number') return exactNumber(answer, text)
  if (typeof answer !== 'object' || answer === null || !('id' in answer)) return answer
  const { id } = answer
  return typeof id === 'number' ? { ...answer, id: exactNumber(id, idText(text)) } : answer
}

const exactNumber = (number: number, source: string): number | string =>
  !Number.isSafeInteger(number) && /^-?\d+$/.test(source) ? source : number

/** Returns the source text of the top-level `id` number. */
function idText(text: string): string {
  const sources = new Map<object, string>()
  const whole = JSON.parse(text, function (this: object, name: string, value: unknown, written?: PrimitiveSource) {
    if (name === 'id' && written?.source !== undefined) sources.set(this, written.source)
    return value
  }) as object
  return sources.get(whole) ?? ''
}

/** The third argument of a JSON reviver, which TypeScript does not declare yet. */
interface PrimitiveSource {
  readonly source?: string
}
