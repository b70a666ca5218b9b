import { randomBytes } from 'node:crypto'
import type { StoreOptions } from '@godwit/store'
import { asStoreError, isNoScript } from './failure.js'
import { type KeyNames, Keys } from './keys.js'
import type { RedisCommand, RedisHandle, RedisReply } from './redis-handle.js'
import { Replicas } from './replicas.js'
import type { Script } from './scripts/script.js'

/** The options of a store in Redis. */
export interface RedisStoreOptions extends StoreOptions {
  /** Before every key and channel, so that several stores share a Redis. Without braces. Default `godwit:`. */
  readonly prefix?: string
  /**
   * Replicas that must confirm a start before a backend that is not idempotent is called; otherwise the call is put off. 0 disables the wait.
   * Default: 1 where there is a replica or recently was one.
   */
  readonly replicas?: number
}

/** Redis refuses it where it would refuse a write, as it does not say that it writes nothing. Without a key, any server takes it. */
const WRITE_PROBE = "#!lua\nreturn 'ready'"

type ScriptArgument = string | number | boolean | Uint8Array | undefined

/** How the operations of a store reach Redis. */
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
    // Lua writes numbers out whole, fences among them: a fraction would be lost on the way and be missed where they are compared.
    this.#clock = clock && (() => Math.floor(clock()))
  }

  /** Milliseconds since 1970: of Redis, which every process asks, if no clock was given. */
  async now(): Promise<number> {
    if (this.#clock) return this.#clock()
    const [seconds = 0, microseconds = 0] = (await this.command(this.keys.index('starts'), 'TIME')) as string[]
    return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000)
  }

  /** Rejects with `store_unavailable` unless every primary takes a write. */
  async check(): Promise<void> {
    try {
      const primaries = await this.handle.primaries()
      await Promise.all(primaries.map(primary => primary(['EVAL', WRITE_PROBE, '0'])))
    } catch (error) {
      throw asStoreError(error)
    }
  }

  /** One atomic step, over the script's own keys and `more` of the same hash tag. */
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
    // A restarted, flushed or new server does not know the script: nothing was done, and this way it learns it.
    return this.#send(route, ['EVAL', text, ...rest])
  }

  /** One command, whose first argument is the key. */
  command(key: string, name: string, ...values: readonly ScriptArgument[]): Promise<RedisReply> {
    return this.#send(key, name === 'TIME' ? [name] : [name, key, ...values.map(argument)])
  }

  /** The same, for an answer of bytes. */
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

/** Nothing is empty text, which no id, fence or time is. */
function argument(value: ScriptArgument): string | Uint8Array {
  if (value instanceof Uint8Array) return value
  if (typeof value === 'boolean') return value ? '1' : ''
  return value === undefined ? '' : `${value}`
}
