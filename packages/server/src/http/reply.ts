import { SyncError } from '@godwit/protocol'
import { Download, EVENTS_TYPE, EventStreamReply, JSON_TYPE, StreamReply, TextReply } from '../base/text-reply.js'
import { matchesEtag } from './etag.js'
import type { HttpReply, HttpRequest } from './http-request.js'

// Keeps proxies from buffering events.
const UNBUFFERED = { 'x-accel-buffering': 'no' }

/** Converts a handler's result into a response. API responses must not be cached or sniffed. */
export function replyOf(answered: unknown, call: Pick<HttpRequest, 'headers'>): HttpReply {
  if (answered instanceof TextReply) return ok(answered.text, answered.type, answered.headers)
  if (answered instanceof StreamReply) return ok(answered.parts, JSON_TYPE)
  if (answered instanceof EventStreamReply) return { ...ok(answered.parts, EVENTS_TYPE, UNBUFFERED), cut: answered.cut }
  if (answered instanceof Download) return downloadReply(answered, call.headers)
  return jsonReply(answered)
}

/** A reply with status 200 and the value as JSON. */
export const jsonReply = (value: unknown): HttpReply => ok(JSON.stringify(value), JSON_TYPE)

function ok(body: HttpReply['body'], type: string, headers?: HttpReply['headers']): HttpReply {
  return { status: 200, headers: { 'content-type': type, ...headers }, body }
}

interface ByteRange {
  readonly start: number
  /** Exclusive. */
  readonly end: number
}

/** Returns a file, the requested range of it, or 304 if the caller has it. */
function downloadReply(download: Download, headers: HttpRequest['headers']): HttpReply {
  const { size, hash, type, read } = download
  const etag = `"${hash}"`
  const always = { etag, 'accept-ranges': 'bytes' }
  if (matchesEtag(headers['if-none-match'], etag)) return { status: 304, headers: always, body: '' }
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag
  const part = isSame ? rangeOf(headers['range'], size) : undefined
  const { start, end } = part ?? { start: 0, end: size }
  return {
    status: part ? 206 : 200,
    headers: {
      ...always,
      'content-type': type,
      'content-length': String(end - start),
      ...(part && { 'content-range': `bytes ${start}-${end - 1}/${size}` }),
    },
    body: read(start, end),
    exact: true,
  }
}

/** Returns a single byte range; undefined if none is requested, or if all may be sent (other units, several ranges). */
function rangeOf(range: string | undefined, size: number): ByteRange | undefined {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range?.trim() ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined
  const part =
    from === ''
      ? { start: Math.max(0, size - Number(to)), end: size }
      : { start: Number(from), end: to === '' ? size : Math.min(size, Number(to) + 1) }
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  if (part.start < part.end) return part
  const message = `expected a range within ${size} bytes, got ${JSON.stringify(range?.slice(0, 60))}.`
  throw new SyncError('range_invalid', message, { details: { size } })
}
