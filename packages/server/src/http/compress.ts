import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { constants, createGzip, gzip } from 'node:zlib'

// Compression is the most expensive step of a response; the fast level gives most of the gain for a fraction of the time.
const options = { level: constants.Z_BEST_SPEED }
const MIN_LENGTH = 1400

/** True if the body exceeds about one packet; below that, compression gains nothing. */
export const isWorthIt = (body: string): boolean => body.length > MIN_LENGTH

/** True if the request accepts gzip by name. */
export function wantsGzip({ headers }: IncomingMessage): boolean {
  const accepted = headers['accept-encoding']
  if (typeof accepted !== 'string' || !accepted.includes('gzip')) return false
  const choice = accepted.split(',').find(part => part.trim().startsWith('gzip'))
  return choice !== undefined && !/;\s*q=0(\.0*)?\s*$/.test(choice)
}

/** Compresses text off the main thread, at the fastest level. */
export const gzipText: (text: string) => Promise<Buffer> = text => zip(text, options)
const zip = promisify<string, object, Buffer>(gzip)

/** Compresses text for a cache, at the best level. */
export const gzipForCache: (text: string) => Promise<Buffer> = text =>
  zip(text, { level: constants.Z_BEST_COMPRESSION })

/** Returns a stream that compresses at the fastest level. */
export const gzipStream = () => createGzip(options)
