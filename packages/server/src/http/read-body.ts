import { isUtf8 } from 'node:buffer'
import { HALF_PAIR, isWellFormedJson, MAX_BODY_DEPTH, type RouteLine, SyncError } from '@godwit/protocol'
import { isDeeper } from '../base/json-depth.js'
import { hasOverflow, OVERFLOW_MESSAGE } from '../base/json-numbers.js'
import { BYTES_TYPE } from '../base/text-reply.js'
import type { HttpRequest } from './http-request.js'

const DEFAULT_LIMIT = 1024 * 1024
const JSON_MEDIA = /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset="?utf-8"?\s*)?$/i

/** Returns the JSON value of a body. `turn`: awaited between its last byte and parsing. */
export async function readBody(
  call: HttpRequest,
  { bodyLimit = DEFAULT_LIMIT, bodyOptional }: RouteLine,
  turn: () => Promise<void>,
): Promise<unknown> {
  const bytes = await call.body(bodyLimit)
  await turn()
  if (bytes.length === 0) {
    if (bodyOptional) return {}
    throw malformed('The body is empty; one JSON value was expected.')
  }
  checkMedia(call)
  if (!isUtf8(bytes)) throw malformed('The body is not UTF-8.')
  const text = bytes.toString('utf8')
  if (isDeeper(text, MAX_BODY_DEPTH)) throw tooDeep()
  const value = parse(text)
  if (hasOverflow(text)) throw invalid(OVERFLOW_MESSAGE, `The body cannot be read: ${OVERFLOW_MESSAGE}.`)
  if (!isWellFormedJson(text, value)) throw invalid(HALF_PAIR, `The body cannot be read: ${HALF_PAIR}.`)
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw malformed(`The body is not JSON${errorPosition((cause as Error).message)}; one JSON value was expected.`)
  }
}

/** Returns the bytes of a body, which may be empty. */
export async function readBytes(call: HttpRequest, { bodyLimit = DEFAULT_LIMIT }: RouteLine): Promise<Uint8Array> {
  const bytes = await call.body(bodyLimit)
  const { 'content-type': type = BYTES_TYPE, 'content-encoding': encoding = 'identity' } = call.headers
  if (bytes.length === 0 || (type.toLowerCase() === BYTES_TYPE && isIdentity(encoding))) return bytes
  const came = JSON.stringify(`${type.slice(0, 100)}, ${encoding.slice(0, 40)}`)
  throw new SyncError('unsupported_media_type', `expected ${BYTES_TYPE} without encoding, got ${came}.`)
}

/** Returns where the parser stopped. The rest of its message quotes the body, which may contain passwords. */
function errorPosition(message: string): string {
  const place = /at position (\d+)/.exec(message)?.[1]
  return place === undefined ? '' : ` (at character ${place})`
}

function checkMedia({ headers }: HttpRequest): void {
  const type = headers['content-type']
  const encoding = headers['content-encoding'] ?? 'identity'
  if (type !== undefined && JSON_MEDIA.test(type) && isIdentity(encoding)) return
  const came = type === undefined ? 'no content type' : JSON.stringify(type.slice(0, 100))
  const encoded = isIdentity(encoding) ? '' : `, encoded as ${JSON.stringify(encoding.slice(0, 40))}`
  throw new SyncError('unsupported_media_type', `expected application/json in UTF-8, got ${came}${encoded}.`)
}

const isIdentity = (encoding: string): boolean => encoding.toLowerCase() === 'identity'

/** The error for a body over the limit of its route, in bytes. */
export const tooLarge = (limit: number): SyncError =>
  new SyncError('body_too_large', `The body has more than ${limit} bytes, the limit of this route. Send it in parts.`)

/** Deeper values can be parsed but not serialised again. */
function tooDeep(): SyncError {
  const message = `expected at most ${MAX_BODY_DEPTH} levels of nesting, got more`
  return invalid(message, `The body: ${message}.`)
}

const invalid = (message: string, whole: string): SyncError =>
  new SyncError('body_invalid', whole, { details: { errors: [{ path: '', message }] } })

const malformed = (message: string): SyncError => new SyncError('malformed_json', message)
