import type { IncomingMessage } from 'node:http'
import { SyncError } from '@godwit/protocol'
import { tooLarge } from './read-body.js'

/** Reads a body whole. One over the limit is refused as soon as that is known; the rest of it is let through unread, so that the answer arrives. */
export function readAll(request: IncomingMessage, limit: number): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > limit) return Promise.reject(tooLarge(limit))
  if (request.readableEnded) return Promise.reject(alreadyRead())
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    request.on('data', (part: Buffer) => {
      size += part.length
      if (size <= limit) parts.push(part)
      else {
        parts.length = 0
        reject(tooLarge(limit))
      }
    })
    request.once('end', () => resolve(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, size)))
    // Of a connection that breaks off; what a caller breaks off is no failure of the server.
    request.once('error', cause => reject(endedEarly(cause)))
    // It comes after every request: an error is dear to make.
    request.once('close', () => request.readableEnded || reject(endedEarly()))
  })
}

const endedEarly = (cause?: Error): SyncError =>
  new SyncError('malformed_json', 'expected the whole body, got the end of the connection first.', { cause })

/** Its end would be waited for in vain. */
const alreadyRead = (): SyncError =>
  new SyncError(
    'malformed_json',
    'expected an unread body, got one that a body parser of the app has read; mount the server before body parsers.',
  )
