import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { ConnectionClosedError, type IRedisClient } from 'bullmq'
import { isNoScript } from '../failure.js'
import type { RedisHandle, RedisReply } from '../redis-handle.js'

type Argument = string | number | Uint8Array | null | undefined

interface LuaCommand {
  readonly lua: string
  readonly sha: string
  readonly numberOfKeys: number
}

/** Milliseconds until what failed is tried again. */
const RETRY_DELAY = 500

/** What BullMQ calls for queues and workers. */
type ClientUsedByBull = Pick<
  IRedisClient,
  | 'status'
  | 'isCluster'
  | 'options'
  | 'connect'
  | 'disconnect'
  | 'quit'
  | 'duplicate'
  | 'defineCommand'
  | 'runCommand'
  | 'hset'
  | 'bzpopmin'
  | 'info'
  | 'clientSetName'
>

/** Every part of it that is not used here says so. */
const refuse = (): never => {
  throw new Error(
    'BullMQ called a method of its client that Godwit does not provide: expected the version in pnpm-workspace.yaml, got another.',
  )
}

/** BullMQ's view of a connection of ours: so it reaches one server, Sentinel and Cluster alike, whose keys it keeps in one hash tag. */
class BullClient extends EventEmitter implements ClientUsedByBull {
  status: 'wait' | 'ready' | 'end' = 'wait'
  /** To BullMQ this would mean an ioredis Cluster, which it then repairs. */
  readonly isCluster = false
  readonly options = {}
  readonly multi = refuse
  readonly pipeline = refuse
  readonly hgetall = refuse
  readonly #open: () => Promise<RedisHandle>
  readonly #isPatient: boolean
  readonly #commands = new Map<string, LuaCommand>()
  #handle: RedisHandle | undefined
  #connecting: Promise<void> | undefined

  constructor(open: () => Promise<RedisHandle>, isPatient: boolean, handle?: RedisHandle) {
    super()
    this.#open = open
    this.#isPatient = isPatient
    this.#handle = handle
    if (handle) this.status = 'ready'
  }

  connect(): Promise<void> {
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined
    })
    return this.#connecting
  }

  /** Whatever blocks is interrupted. */
  disconnect(): void {
    this.#handle?.destroy()
    this.#emitEnd()
  }

  async quit(): Promise<string> {
    await this.#handle?.close().catch(() => undefined)
    setImmediate(() => this.#emitEnd())
    return 'OK'
  }

  duplicate(): IRedisClient {
    return new BullClient(this.#open, this.#isPatient) as ClientUsedByBull as IRedisClient
  }

  defineCommand(name: string, { lua, numberOfKeys }: { readonly lua: string; readonly numberOfKeys: number }): void {
    const sha = createHash('sha1').update(lua).digest('hex')
    this.#commands.set(name, { lua, sha, numberOfKeys })
    // BullMQ looks here for what it has defined.
    Object.assign(this, { [name]: (...given: Argument[]) => this.runCommand(name, given) })
  }

  async runCommand(name: string, given: readonly (Argument | readonly Argument[])[]): Promise<RedisReply> {
    const command = this.#commands.get(name)
    if (command === undefined) throw new Error(`BullMQ: unknown command ${name}.`)
    const [route = '', ...rest] = given.flat().map(textOf)
    const call = [`${command.numberOfKeys}`, route, ...rest]
    try {
      return await this.#send(`${route}`, ['EVALSHA', command.sha, ...call])
    } catch (error) {
      if (!isNoScript(error)) throw error
    }
    return this.#send(`${route}`, ['EVAL', command.lua, ...call])
  }

  /** Fields as an object, or one after the other: BullMQ has both. */
  async hset(key: string, ...given: readonly (Argument | Readonly<Record<string, Argument>>)[]): Promise<number> {
    const fields = given.flatMap(one => (isFields(one) ? Object.entries(one).flat() : [one]))
    return (await this.#send(key, ['HSET', key, ...fields.map(textOf)])) as number
  }

  async bzpopmin(key: string, timeout: number): Promise<[string, string, string] | null> {
    return (await this.#send(key, ['BZPOPMIN', key, `${timeout}`])) as [string, string, string] | null
  }

  async info(): Promise<string> {
    const [primary] = (await this.#handle?.primaries()) ?? []
    return `${await primary?.(['INFO'])}`
  }

  /** Connections keep their own names. */
  async clientSetName(): Promise<void> {}

  async #connect(): Promise<void> {
    if (this.status === 'ready') return
    this.status = 'wait'
    this.#handle = await this.#openHandle()
    this.status = 'ready'
    this.emit('ready')
  }

  /** BullMQ asks once: a Redis that is away just now must not stop a worker for good. */
  async #openHandle(): Promise<RedisHandle> {
    for (;;) {
      const handle = await this.#open().catch(() => undefined)
      if (handle && !this.#isEnded()) return handle
      handle?.destroy()
      if (this.#isEnded()) throw closedByClientError()
      await pause(RETRY_DELAY, undefined, { ref: false })
    }
  }

  /** It may end during any wait. */
  #isEnded(): boolean {
    return this.status === 'end'
  }

  #emitEnd(): void {
    this.status = 'end'
    this.emit('close')
    this.emit('end')
  }

  async #send(route: string, command: readonly (string | Uint8Array)[]): Promise<RedisReply> {
    if (this.#handle === undefined || this.#isEnded()) throw closedByClientError()
    try {
      return await this.#handle.send(route, command)
    } catch (error) {
      if (this.#isPatient && !this.#isEnded() && !isNoScript(error)) await pause(RETRY_DELAY, undefined, { ref: false })
      throw this.#isEnded() ? closedByClientError(error) : error
    }
  }
}

/** By this error BullMQ knows that it closed the connection itself. */
const closedByClientError = (cause?: unknown): Error =>
  new ConnectionClosedError('Connection is closed.', cause as Error)

const isFields = (value: unknown): value is Readonly<Record<string, Argument>> =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array)

const textOf = (value: Argument): string | Uint8Array => (value instanceof Uint8Array ? value : `${value ?? ''}`)

/** A client for BullMQ's queues over a connection that stays its owner's: what fails, fails at once. */
export const queueClient = (handle: RedisHandle, open: () => Promise<RedisHandle>): IRedisClient =>
  new BullClient(open, false, handle) as ClientUsedByBull as IRedisClient

/**
 * A client for BullMQ's workers over a connection that stays its owner's; duplicates open new connections. BullMQ's loop asks for the next job again at
 * once after most errors, so what fails here fails after half a second.
 */
export const workerClient = (handle: RedisHandle, open: () => Promise<RedisHandle>): IRedisClient =>
  new BullClient(open, true, handle) as ClientUsedByBull as IRedisClient
