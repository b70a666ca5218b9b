import { isUtf8 } from 'node:buffer'
import { HALF_PAIR, isWellFormedJson, type JsonValue, SyncError } from '@godwit/protocol'
import { refusal } from '@godwit/source'
import { isDeeper } from '../../base/json-depth.js'
import { hasOverflow, OVERFLOW_MESSAGE } from '../../base/json-numbers.js'

/** The backend's response; one of `node:http` fits. */
export interface BackendAnswer extends AsyncIterable<Uint8Array> {
  readonly statusCode?: number | undefined
  readonly headers: { readonly 'content-type'?: string | undefined }
  /** Closes the connection without reading the rest. */
  destroy(): unknown
}

/** The most bytes of a response that is read whole, and of one line of NDJSON. */
export const MAX_ANSWER = 32 * 1024 * 1024
const MAX_FAILURE = 64 * 1024
const MAX_DEPTH = 100

/** Throws unless the status is a success: `refused` for a 4xx with a message, else `backend_failed`, since the backend may have made the change. */
export async function checkStatus(response: BackendAnswer): Promise<void> {
  const status = response.statusCode ?? 0
  if (status >= 200 && status < 300) return
  const message = status >= 400 && status < 500 ? await messageOf(response) : undefined
  response.destroy()
  if (message !== undefined) throw refusal(message)
  const hint = status >= 300 && status < 400 ? ', and redirects are not followed' : ''
  throw new SyncError('backend_failed', `The backend answered ${status}${hint}.`)
}

async function messageOf(response: BackendAnswer): Promise<string | undefined> {
  try {
    const answer = parseJson((await readBytes(response, MAX_FAILURE)).toString('utf8')) as {
      readonly message?: unknown
    } | null
    return typeof answer?.message === 'string' && answer.message !== '' ? answer.message : undefined
  } catch {
    return undefined
  }
}

/** Returns the response as text. Throws `backend_failed` if it is longer than `limit` bytes, cut off or not UTF-8. */
export const readText = async (response: BackendAnswer, limit = MAX_ANSWER): Promise<string> =>
  textOf(await readBytes(response, limit))

async function readBytes(response: BackendAnswer, limit: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of chunksOf(response)) {
    length += part.length
    if (length > limit) throw tooLong(limit)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Reads the lines of a response of any length; each line is at most `limit` bytes. */
export async function* readLines(response: BackendAnswer, limit = MAX_ANSWER): AsyncGenerator<string> {
  let parts: Buffer[] = []
  let length = 0
  for await (const part of chunksOf(response)) {
    let start = 0
    for (let end = part.indexOf(10); end >= 0; end = part.indexOf(10, start)) {
      yield textOf(Buffer.concat([...parts, part.subarray(start, end)]))
      parts = []
      length = 0
      start = end + 1
    }
    length += part.length - start
    if (length > limit) throw tooLong(limit)
    if (start < part.length) parts.push(part.subarray(start))
  }
  if (parts.length > 0) yield textOf(Buffer.concat(parts))
}

/** Rejects invalid UTF-8, which would be stored as replacement characters without notice. */
function textOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  throw new SyncError(
    'backend_failed',
    `expected an answer of the backend in UTF-8, got ${bytes.length} bytes that are not.`,
  )
}

async function* chunksOf(response: BackendAnswer): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of response) yield chunk as Buffer
  } catch (cause) {
    throw new SyncError('backend_failed', 'expected a whole answer of the backend, got a part of it.', { cause })
  }
}

/** Parses JSON. Throws `backend_failed` for invalid JSON, excessive nesting, or a number that a double cannot hold. */
export function parseJson(text: string): JsonValue {
  if (isDeeper(text, MAX_DEPTH))
    throw new SyncError('backend_failed', `expected an answer nested at most ${MAX_DEPTH} deep, got a deeper one.`)
  const value = parseAnswer(text)
  if (hasOverflow(text)) throw new SyncError('backend_failed', `The answer cannot be kept: ${OVERFLOW_MESSAGE}.`)
  if (!isWellFormedJson(text, value)) throw new SyncError('backend_failed', `The answer cannot be kept: ${HALF_PAIR}.`)
  return value
}

function parseAnswer(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    // Never quotes the text: it may be users' data, and the message goes to logs and devices.
    const came = /^\s*</.test(text) ? 'a page' : 'a text'
    throw new SyncError('backend_failed', `expected JSON from the backend, got ${came} of ${text.length} characters.`)
  }
}

const tooLong = (limit: number): SyncError =>
  new SyncError(
    'backend_failed',
    `expected at most ${limit} bytes from the backend, got more. A query may answer more as NDJSON.`,
  )
