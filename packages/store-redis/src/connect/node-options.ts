import { RESP_TYPES } from 'redis'
import type { RedisAddress } from '../address.js'
import type { RedisCommand } from '../redis-handle.js'

/** Milliseconds that a first connection may take: a server that hangs accepts a connection and never responds. */
export const CONNECT_TIMEOUT = 5_000

/** Milliseconds to wait for one of several servers before the next is tried. */
export const WELCOME = 2_000

/** How many attempts to make before the first connection fails. */
const FIRST_ATTEMPTS = 3

/** Milliseconds before the next attempt. */
export const pauseAfter = (attempts: number): number =>
  Math.min(50 * 2 ** attempts, 1_000) + Math.floor(Math.random() * 100)

/** Client options for one Redis server. Once `connected` returns true, a lost connection is retried without a limit. */
export function nodeOptions(address: RedisAddress, connected: () => boolean) {
  const { username, password } = address
  const reconnectStrategy = (retries: number) =>
    !connected() && retries >= FIRST_ATTEMPTS ? (false as const) : pauseAfter(retries)
  return {
    RESP: 2 as const,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    socket: { ...socketOptions(address), reconnectStrategy },
  }
}

/** The options of a socket to any node of an address. */
export const socketOptions = ({ tls }: RedisAddress) => ({
  connectTimeout: CONNECT_TIMEOUT,
  ...(tls && { tls: true as const }),
})

/** Reply option that returns strings as bytes. */
export const BYTES = { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } } as const

/** Converts a command for the client, without copying bytes. */
export const listOf = (command: RedisCommand): (string | Buffer)[] =>
  command.map(one => (typeof one === 'string' ? one : Buffer.from(one.buffer, one.byteOffset, one.byteLength)))
