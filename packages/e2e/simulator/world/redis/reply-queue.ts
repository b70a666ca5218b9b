import type { RedisHandle, RedisReply } from '@godwit/store-redis'

type Command = Parameters<RedisHandle['send']>[1]

/** The connection of a world to Redis. */
export interface RedisLink {
  send(command: Command, answer: 'text' | 'bytes'): Promise<unknown>
  /** Calls `heard` for every message on the channel. */
  subscribe(channel: string, heard: (message: string) => void): Promise<unknown>
  unsubscribe(channel: string): Promise<unknown>
}

/** A command whose reply has not been delivered. */
interface PendingCommand {
  readonly run: () => Promise<unknown>
  /** Called with the reply before it is delivered. */
  readonly before: (value: unknown) => Promise<void>
  readonly answer: (value: unknown) => void
  readonly fail: (error: unknown) => void
}

/** The reply to every EVALSHA: scripts are always sent as text, so that histories do not depend on Redis' script cache. */
const UNKNOWN = 'NOSCRIPT Scripts are sent whole.'

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/**
 * All traffic between the worlds of this process and Redis. Commands of one event loop turn are sent together; replies are delivered one at a time
 * and in order, each when the world is idle, so that a history does not depend on Redis' speed.
 */
export class ReplyQueue {
  readonly #redis: RedisLink
  readonly #listeners = new Map<string, Set<(message: string) => void>>()
  readonly #messages: (readonly [channel: string, message: string])[] = []
  #waiting: PendingCommand[] = []
  #running: Promise<void> | undefined
  /** Called when a command is sent or a reply arrives. */
  recordActivity: () => void = () => {}

  constructor(redis: RedisLink) {
    this.#redis = redis
  }

  /** Resolves when nothing is pending. Undefined if nothing is pending now. */
  get rest(): Promise<void> | undefined {
    return this.#running
  }

  ask(command: Command): Promise<RedisReply> {
    return command[0] === 'SPUBLISH' ? this.#publish(command) : this.#ask(() => this.#redis.send(command, 'text'))
  }

  askForBytes(command: Command): Promise<Uint8Array> {
    return this.#ask(() => this.#redis.send(command, 'bytes'))
  }

  /** Returns the connection of a server process. After the process dies, its new commands are dropped; earlier ones are executed. */
  handle(process: { readonly isDead: boolean }): RedisHandle {
    const unlessDead = <Result>(ask: () => Promise<Result>): Promise<Result> =>
      process.isDead ? new Promise<never>(() => {}) : ask()
    const send = (command: Command): Promise<RedisReply> =>
      command[0] === 'EVALSHA' ? Promise.reject(new Error(UNKNOWN)) : unlessDead(() => this.ask(command))
    return {
      send: (_, command) => send(command),
      sendForBytes: (_, command) => unlessDead(() => this.askForBytes(command)),
      sendInRow: (_, commands) => Promise.all(commands.map(send)),
      primaries: async () => [send],
      subscribe: (channel, heard) =>
        unlessDead(() => this.#subscribe(channel, message => process.isDead || heard(message))),
      close: async () => {},
      destroy: () => {},
    }
  }

  /** Removes the listeners of channels with this prefix. */
  async hush(prefix: string): Promise<void> {
    const channels = [...this.#listeners.keys()].filter(channel => channel.startsWith(prefix))
    for (const channel of channels) {
      this.#listeners.delete(channel)
      await this.#ask(() => this.#redis.unsubscribe(channel))
    }
  }

  async #subscribe(channel: string, heard: (message: string) => void): Promise<() => Promise<void>> {
    const known = this.#listeners.get(channel)
    const listeners = known ?? new Set()
    listeners.add(heard)
    this.#listeners.set(channel, listeners)
    await this.#ask(async () => {
      if (!known) await this.#redis.subscribe(channel, message => this.#messages.push([channel, message]))
    })
    return async () => void listeners.delete(heard)
  }

  /** Publishes a message and resolves when all listeners have received it; messages are delivered in order of publication. */
  async #publish(command: Command): Promise<RedisReply> {
    return this.#ask(
      () => this.#redis.send(command, 'text'),
      async receivers => {
        if (Number(receivers) === 0) return
        while (this.#messages.length === 0) await turn()
        const [channel, message] = this.#messages.shift() as readonly [string, string]
        for (const report of this.#listeners.get(channel) ?? []) report(message)
      },
    )
  }

  #ask<Result>(run: () => Promise<unknown>, before = async (_: unknown): Promise<void> => {}): Promise<Result> {
    this.recordActivity()
    return new Promise((resolve, reject) => {
      this.#waiting.push({ run, before, answer: value => resolve(value as Result), fail: reject })
      this.#running ??= this.#run()
    })
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await turn()
      const requested = this.#waiting.splice(0)
      const answers = await Promise.allSettled(requested.map(({ run }) => run()))
      for (const [at, one] of requested.entries()) {
        const answer = answers[at] as PromiseSettledResult<unknown>
        this.recordActivity()
        if (answer.status === 'fulfilled') {
          await one.before(answer.value)
          one.answer(answer.value)
        } else one.fail(answer.reason)
        await turn()
      }
    }
    this.#running = undefined
  }
}
