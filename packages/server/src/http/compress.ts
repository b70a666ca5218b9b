import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { constants, createGzip, gzip } from 'node:zlib'

// The dearest step of an answer: the fast level gives most of the gain for a fraction of the time.
const options = { level: constants.Z_BEST_SPEED }
const MIN_LENGTH = 1400

/** Below about a packet there is nothing to gain. */
export const isWorthIt = (body: string): boolean => body.length > MIN_LENGTH

/** Whether the caller asks for gzip by name. */
export function wantsGzip({ headers }: IncomingMessage): boolean {
  const accepted = headers['accept-encoding']
  if (typeof accepted !== 'string' || !accepted.includes('gzip')) return false
  const choice = accepted.split(',').find(part => part.trim().startsWith('gzip'))
  return choice !== undefined && !/;\s*q=0(\.0*)?\s*$/.test(choice)
}

/** Off the main thread. */
export const gzipText: (text: string) => Promise<Buffer> = text => zip(text, options)
const zip = promisify<string, object, Buffer>(gzip)

/** The same for a text that is kept: as small as it gets. */
export const gzipForCache: (text: string) => Promise<Buffer> = text =>
  zip(text, { level: constants.Z_BEST_COMPRESSION })

/** A stream that compresses what is written to it, at the fastest level. */
export const gzipStream = () => createGzip(options)
