import { RESP_TYPES } from 'redis'
import type { RedisAddress } from '../address.js'
import type { RedisCommand } from '../redis-handle.js'

/** How long a first connection may take, in milliseconds: a server that hangs takes one and says nothing. */
export const CONNECT_TIMEOUT = 5_000

/** How long one server of several is waited for before another is tried. */
export const WELCOME = 2_000

/** Attempts before the first connection is given up. */
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

/** Makes texts of answers bytes. */
export const BYTES = { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } } as const

/** As the client takes them; bytes without a copy. */
export const listOf = (command: RedisCommand): (string | Buffer)[] =>
  command.map(one => (typeof one === 'string' ? one : Buffer.from(one.buffer, one.byteOffset, one.byteLength)))
