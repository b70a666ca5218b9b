import { randomBytes } from 'node:crypto'
import type { StoreOptions } from '@godwit/store'
import { assertKeepsKeys } from './connect/assert-usable.js'
import { asStoreError, isNoScript } from './failure.js'
import { type KeyNames, Keys } from './keys.js'
import type { RedisCommand, RedisHandle, RedisReply } from './redis-handle.js'
import { Replicas } from './replicas.js'
import type { Script } from './scripts/script.js'

/** The options of a store in Redis. */
export interface RedisStoreOptions extends StoreOptions {
  /** Prefix of every key and channel, so that several stores can share a Redis server. Must not contain braces. Default `godwit:`. */
  readonly prefix?: string
  /**
   * Replicas that must confirm a start before a backend that is not idempotent is called; otherwise the call is put off. 0 disables the wait.
   * Default: 1 where there is a replica or recently was one.
   */
  readonly replicas?: number
}

/** A script without the no-writes flag, which Redis refuses wherever it would refuse a write. It has no key, so any server accepts it. */
const WRITE_PROBE = "#!lua\nreturn 'ready'"

type ScriptArgument = string | number | boolean | Uint8Array | undefined

/** Runs the commands and scripts of a store. */
export class RedisConnection {
  readonly handle: RedisHandle
  readonly keys: Keys
  readonly replicas: Replicas
  readonly randomId: () => string
  readonly #clock: (() => number) | undefined

  constructor(handle: RedisHandle, { clock, randomId, prefix, replicas }: RedisStoreOptions = {}) {
    this.handle = handle
    this.keys = new Keys(prefix)
    this.replicas = new Replicas(handle, replicas)
    this.randomId = randomId ?? (() => randomBytes(16).toString('base64url'))
    // Lua writes integers in full; a fraction would be lost and break later comparisons, such as those of fences.
    this.#clock = clock && (() => Math.floor(clock()))
  }

  /** Milliseconds since 1970, by Redis' clock, which all processes share, unless a clock is configured. */
  async now(): Promise<number> {
    if (this.#clock) return this.#clock()
    const [seconds = 0, microseconds = 0] = (await this.command(this.keys.index('starts'), 'TIME')) as string[]
    return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000)
  }

  /** Rejects with `store_unavailable` unless every primary accepts writes and evicts no keys. */
  async check(): Promise<void> {
    try {
      const primaries = await this.handle.primaries()
      await Promise.all(primaries.map(primary => primary(['EVAL', WRITE_PROBE, '0'])))
      await Promise.all(primaries.map(assertKeepsKeys))
    } catch (error) {
      throw asStoreError(error)
    }
  }

  /** Runs a script as one atomic step, on its declared keys and `more` keys with the same hash tag. */
  async run<Key extends string>(
    { keys, given, text, sha }: Script<Key>,
    naming: KeyNames<Key>,
    values: readonly ScriptArgument[] = [],
    more: readonly string[] = [],
  ): Promise<RedisReply> {
    const names = [...keys.map(naming), ...more]
    const route = names[0] ?? ''
    const missing = Array.from({ length: Math.max(0, given - values.length) }, () => '')
    const rest = [`${names.length}`, ...names, argument(this.#clock?.()), ...values.map(argument), ...missing]
    try {
      return await this.handle.send(route, ['EVALSHA', sha, ...rest])
    } catch (error) {
      if (!isNoScript(error)) throw asStoreError(error)
    }
    // A new, restarted or flushed server does not know the script: nothing ran, and EVAL caches it.
    return this.#send(route, ['EVAL', text, ...rest])
  }

  /** Sends one command whose first argument is the key. */
  command(key: string, name: string, ...values: readonly ScriptArgument[]): Promise<RedisReply> {
    return this.#send(key, name === 'TIME' ? [name] : [name, key, ...values.map(argument)])
  }

  /** Like `command`, for a reply of bytes. */
  async bytes(key: string, name: string, ...values: readonly ScriptArgument[]): Promise<Uint8Array> {
    try {
      return await this.handle.sendForBytes(key, [name, key, ...values.map(argument)])
    } catch (error) {
      throw asStoreError(error)
    }
  }

  async #send(route: string, command: RedisCommand): Promise<RedisReply> {
    try {
      return await this.handle.send(route, command)
    } catch (error) {
      throw asStoreError(error)
    }
  }
}

/** Converts a script argument. Undefined and false are empty text, which is never an id, fence or time. */
function argument(value: ScriptArgument): string | Uint8Array {
  if (value instanceof Uint8Array) return value
  if (typeof value === 'boolean') return value ? '1' : ''
  return value === undefined ? '' : `${value}`
}
