import { Download, EVENTS_TYPE, EventStreamReply, JSON_TYPE, StreamReply, TextReply } from '../text-reply.js'
import { downloadReply } from './download.js'
import type { HttpReply, HttpRequest } from './http-request.js'

// Proxies that gather an answer before they pass it on would hold events back.
const UNBUFFERED = { 'x-accel-buffering': 'no' }

/** What a handler answered, as it is sent. Nothing of the API may stay in a cache, and nothing be taken for another type. */
export function replyOf(answered: unknown, call: Pick<HttpRequest, 'headers'>): HttpReply {
  if (answered instanceof TextReply) return ok(answered.text, answered.type, answered.headers)
  if (answered instanceof StreamReply) return ok(answered.parts, JSON_TYPE)
  if (answered instanceof EventStreamReply) return { ...ok(answered.parts, EVENTS_TYPE, UNBUFFERED), cut: answered.cut }
  if (answered instanceof Download) return downloadReply(answered, call.headers)
  return jsonReply(answered)
}

export const jsonReply = (value: unknown): HttpReply => ok(JSON.stringify(value), JSON_TYPE)

function ok(body: HttpReply['body'], type: string, headers?: HttpReply['headers']): HttpReply {
  return { status: 200, headers: { 'content-type': type, ...headers }, body }
}
