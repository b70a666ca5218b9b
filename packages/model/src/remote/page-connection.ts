import { isSyncError, SyncError } from '@godwit/protocol'
import type { Sdk } from '../sdk/sdk.js'
import { toWire } from './error-values.js'
import { ACTIONS_TARGET, PLATFORM_TARGET } from './methods.js'
import type { CallMessage, HostMessage, HostStatus, PageMessage } from './protocol.js'
import { type PlatformCall, type RemoteCall, remoteCallOf } from './remote-call.js'
import { readReply, writeReply } from './reply-text.js'
import { type PageQuery, watch } from './send-rows.js'
import { hasBlob, type TakeBlob, withBlobs } from './take-blobs.js'

/** The state that the connections of one host share. */
export interface ConnectionHost {
  readonly sdk: Sdk<unknown>
  readonly generation: number
  readonly actions: { readonly [name: string]: unknown }
  readonly platform: { readonly [name: string]: PlatformCall }
  readonly takeBlob: TakeBlob
  readonly clock: () => number
  /** Asynchronous calls, and the connection that gets each reply. */
  readonly running: Map<string, Connection>
  readonly isOver: () => boolean
  readonly status: () => HostStatus
  readonly look: () => void
  readonly report: (error: unknown) => void
  readonly letGo: () => void
  /** Calls whose replies were acknowledged, kept until no message about them can still arrive. */
  readonly over: Map<string, number>
  readonly acknowledged: () => void
  readonly greet: (hello: PageMessage & { readonly godwit: 'hello' }) => SyncError | 'outdated' | undefined
}

type WatchMessage = PageMessage & { readonly godwit: 'watch' }

/** The connection to one page. */
export class Connection {
  readonly post: (message: HostMessage) => void
  left: () => void = () => {}
  readonly #host: ConnectionHost
  readonly #watching = new Map<number, { readonly message: WatchMessage; readonly watched: PageQuery }>()
  /** Known after the page's hello. */
  #page: string | undefined
  /** Keeps the order of writes while files are being stored. */
  #before: Promise<void> | undefined

  constructor(host: ConnectionHost, send: (message: HostMessage) => void) {
    this.#host = host
    this.post = message => {
      // Not every port reports that its page is gone; such a page just does not receive the message.
      if (this.#page !== undefined || message.godwit !== 'event') send(message)
    }
  }

  hear(message: PageMessage): void {
    if (this.#host.isOver()) return
    try {
      if (message.godwit === 'hello') this.#greet(message)
      else if (this.#page !== undefined) this.#dispatch(message, this.#page)
    } catch (error) {
      // For example a message that cannot be read: it must not affect other pages.
      this.#host.report(error)
    }
  }

  look(): void {
    for (const { watched } of this.#watching.values()) watched.look()
  }

  /** Runs every live query again for another user. */
  beginAgain(): void {
    for (const { message } of [...this.#watching.values()]) this.#watch(message)
  }

  end(): void {
    for (const { watched } of this.#watching.values()) watched.stop()
    this.#watching.clear()
    this.left()
  }

  #greet(message: PageMessage & { readonly godwit: 'hello' }): void {
    const problem = this.#host.greet(message)
    if (problem === 'outdated') return
    if (problem) {
      this.post({ godwit: 'unwelcome', error: toWire(problem) })
      return
    }
    this.#page = message.page
    this.post({ godwit: 'welcome', generation: this.#host.generation, status: this.#host.status() })
  }

  #dispatch(message: Exclude<PageMessage, { readonly godwit: 'hello' }>, page: string): void {
    if (message.godwit === 'call') this.#call(message, page)
    else if (message.godwit === 'watch') this.#watch(message)
    else if (message.godwit === 'unwatch') this.#unwatch(message.live)
    else if (message.godwit === 'acknowledge') this.#acknowledge(page, message.numbers)
  }

  #watch(message: WatchMessage): void {
    this.#unwatch(message.live)
    const watched = watch(this.#host.sdk, message, this.post)
    this.#watching.set(message.live, { message, watched })
  }

  #unwatch(live: number): void {
    this.#watching.get(live)?.watched.stop()
    this.#watching.delete(live)
  }

  #acknowledge(page: string, numbers: readonly number[]): void {
    if (numbers.length === 0) return
    for (const number of numbers) this.#host.over.set(`${number} ${page}`, this.#host.clock())
    this.#host.sdk.device.calls.acknowledge(page, numbers)
    this.#host.acknowledged()
  }

  #call(message: CallMessage, page: string): void {
    this.#acknowledge(page, message.acknowledged)
    const { generation, running, over, clock } = this.#host
    // Not answered: the page counts the seconds and asks the current owner.
    if (message.generation !== generation || clock() > message.before) return
    const key = `${message.number} ${page}`
    if (over.has(key)) return
    if (running.has(key)) {
      running.set(key, this)
      return
    }
    try {
      const performance = remoteCallOf(this.#host, message)
      const { kind } = performance
      const takesTime =
        kind === 'once' || message.on === PLATFORM_TARGET || hasBlob(message.args, message.on !== ACTIONS_TARGET)
      if (takesTime || (this.#before && kind === 'write')) this.#runInBackground(key, message, performance, page)
      else this.#answer(message.number, this.#perform(message, message.args, performance, page))
    } catch (error) {
      this.#refuse(message.number, error)
    }
  }

  /** Runs an asynchronous call. */
  #runInBackground(key: string, message: CallMessage, performance: RemoteCall, page: string): void {
    const { running } = this.#host
    const { number } = message
    running.set(key, this)
    // A page that reconnected by another port is answered there.
    const to = (): Connection => running.get(key) ?? this
    this.post({ godwit: 'begun', number })
    const answered = this.#run(message, performance, page)
      // The status with the new user is sent before the reply.
      .finally(() => this.#host.look())

      .then(
        result => to().#answer(number, result),
        (error: unknown) => to().#refuse(number, error),
      )
    const done = answered.finally(() => running.delete(key))
    if (performance.kind !== 'write') return
    const before = done.then(() => {
      if (this.#before === before) this.#before = undefined
    })
    this.#before = before
  }

  async #run(message: CallMessage, performance: RemoteCall, page: string): Promise<unknown> {
    const before = performance.kind === 'write' ? this.#before : undefined
    const releases: (() => void)[] = []
    try {
      const args = await withBlobs(message.args, message.on !== ACTIONS_TARGET, async blob => {
        const { value, release } = await this.#host.takeBlob(blob)
        releases.push(release)
        return value
      })
      await before
      return await this.#perform(message, args as readonly unknown[], performance, page)
    } finally {
      for (const release of releases) release()
    }
  }

  #perform(message: CallMessage, args: readonly unknown[], { kind, run }: RemoteCall, page: string): unknown {
    const { sdk, generation, isOver } = this.#host
    if (isOver()) throw new SyncError('device_moved', 'The device was released. Ask its owner.')
    checkUser(message, sdk)
    if (kind !== 'write') return run(args)
    const { number, made, repeat } = message
    return sdk.device.calls.once({ page, number, made, repeat, generation }, () => run(args), {
      write: writeReply,
      read: readReply,
    })
  }

  #answer(number: number, result: unknown): void {
    try {
      this.post({ godwit: 'reply', number, result })
    } catch (cause) {
      const message = 'The result cannot be sent: return plain data, Dates and bytes, no functions.'
      this.#refuse(number, new SyncError('value_not_allowed', message, { cause }))
    }
  }

  #refuse(number: number, error: unknown): void {
    // Another owner has started; the page asks there.
    if (isSyncError(error) && error.code === 'device_moved') this.#host.letGo()
    else this.post({ godwit: 'reply', number, error: toWire(error) })
  }
}

/** Throws `user_changed` for a call of a page that shows another user, so that an open form does not write into the wrong account. */
function checkUser({ user }: CallMessage, { device }: Sdk<unknown>): void {
  const now = device.userId()
  if (user === null || user === now) return
  throw new SyncError(
    'user_changed',
    'Another user has logged in on this device. Refresh the page before you call again.',
    {
      details: { expected: user, got: now },
    },
  )
}
