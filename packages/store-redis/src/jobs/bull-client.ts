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

/** Milliseconds to wait after a failure. */
const RETRY_DELAY = 500

/** The methods that BullMQ calls for queues and workers. */
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

/** Stands for members of the client that BullMQ should not call here. */
const refuse = (): never => {
  throw new Error(
    'BullMQ called a method of its client that Godwit does not provide: expected the version in pnpm-workspace.yaml, got another.',
  )
}

/** BullMQ's client interface over a `RedisHandle`, so that jobs run on one server, Sentinel and Cluster alike. BullMQ's keys share one hash tag. */
class BullClient extends EventEmitter implements ClientUsedByBull {
  status: 'wait' | 'ready' | 'end' = 'wait'
  /** True would mean an ioredis Cluster to BullMQ, which it then patches. */
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

  /** Disconnects immediately and interrupts blocking commands. */
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
    // BullMQ calls its scripts as methods of the client.
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

  /** BullMQ passes fields either as an object or as alternating names and values. */
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

  /** Does nothing: connections keep their names. */
  async clientSetName(): Promise<void> {}

  async #connect(): Promise<void> {
    if (this.status === 'ready') return
    this.status = 'wait'
    this.#handle = await this.#openHandle()
    this.status = 'ready'
    this.emit('ready')
  }

  /** Retries until connected or ended. BullMQ connects only once, so an error here would stop the worker for good. */
  async #openHandle(): Promise<RedisHandle> {
    for (;;) {
      const handle = await this.#open().catch(() => undefined)
      if (handle && !this.#isEnded()) return handle
      handle?.destroy()
      if (this.#isEnded()) throw closedByClientError()
      await pause(RETRY_DELAY, undefined, { ref: false })
    }
  }

  /** A method, since the status can change during any await. */
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

/** BullMQ recognizes by this error that it closed the connection itself. */
const closedByClientError = (cause?: unknown): Error =>
  new ConnectionClosedError('Connection is closed.', cause as Error)

const isFields = (value: unknown): value is Readonly<Record<string, Argument>> =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array)

const textOf = (value: Argument): string | Uint8Array => (value instanceof Uint8Array ? value : `${value ?? ''}`)

/** A client for BullMQ's queues over an existing connection. Errors reject immediately. */
export const queueClient = (handle: RedisHandle, open: () => Promise<RedisHandle>): IRedisClient =>
  new BullClient(open, false, handle) as ClientUsedByBull as IRedisClient

/**
 * A client for BullMQ's workers over an existing connection; duplicates open new ones. Errors reject after half a second, since BullMQ's loop usually
 * fetches the next job immediately after one.
 */
export const workerClient = (handle: RedisHandle, open: () => Promise<RedisHandle>): IRedisClient =>
  new BullClient(open, true, handle) as ClientUsedByBull as IRedisClient
