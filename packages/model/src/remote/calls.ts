import { SyncError } from '@godwit/protocol'
import type { Timers } from '../platform/timers.js'
import { fromWire } from './error-values.js'
import { deepFreeze } from './plain-values.js'
import { CALL_START_LIMIT_MS, type CallMessage, type HostMessage, type PageMessage } from './protocol.js'

/** A call's target and arguments. */
export type CallRequest = Pick<CallMessage, 'kind' | 'on' | 'method' | 'args'>

/** The part of a call that does not change between posts. */
type CallFacts = CallRequest & Pick<CallMessage, 'number' | 'made' | 'user'>

interface OpenCall {
  readonly facts: CallFacts
  readonly promise: Promise<unknown>
  readonly resolve: (result: unknown) => void
  readonly reject: (error: SyncError) => void
  /** Whether it has been posted before. */
  posted: boolean
  /** Seconds until it times out; `NO_LIMIT` once it has started. */
  left: number
}

interface CallsContext {
  readonly clock: () => number
  readonly timers: Timers
  /** The host's generation; undefined until one has answered. */
  readonly generation: () => number | undefined
  readonly user: () => string | null
  /** While the device is busy, no call times out. */
  readonly busy: () => boolean
  readonly post: (message: PageMessage) => void
  /** Called after each write that was done. */
  readonly wrote: () => void
  /** Called each second while a call is open. */
  readonly tick: () => void
}

const SECOND_MS = 1000
/** Longer than the time in which a call may start, so that no call times out that may still start. */
const CALL_TIMEOUT = CALL_START_LIMIT_MS / SECOND_MS + 1

/** More seconds than any timeout. */
const NO_LIMIT = 1e9

/** A page's calls without a reply. They are posted again to the next owner under the same number. */
export class Calls {
  readonly #parts: CallsContext
  readonly #open = new Map<number, OpenCall>()
  readonly #silent = new WeakMap<SyncError, OpenCall>()
  #answered: number[] = []
  #last = 0
  #stop: (() => void) | undefined
  #failure: SyncError | undefined

  constructor(parts: CallsContext) {
    this.#parts = parts
  }

  ask(question: CallRequest): Promise<unknown> {
    if (this.#failure) return Promise.reject(this.#failure)
    return this.#begin(
      { ...question, number: ++this.#last, made: this.#parts.clock(), user: this.#parts.user() },
      false,
    )
  }

  repeat(error: SyncError): Promise<unknown> {
    const call = this.#silent.get(error)
    if (!call || call.facts.kind === 'once' || this.#failure) return Promise.reject(this.#failure ?? error)
    return this.#open.get(call.facts.number)?.promise ?? this.#begin(call.facts, call.posted)
  }

  /** A host answered: posts open calls to it, and fails those that must not be repeated and may have started elsewhere. */
  connected(): void {
    this.#failure = undefined
    for (const call of this.#open.values()) if (this.#mayRepeat(call)) this.#post(call)
  }

  /** The host is lost. */
  disconnected(): void {
    for (const call of this.#open.values()) this.#mayRepeat(call)
  }

  /** Fails open and future calls until a host answers. */
  fail(error: SyncError): void {
    this.#failure = error
    for (const call of this.#open.values()) this.#reject(call, error)
  }

  begun(number: number): void {
    const call = this.#open.get(number)
    if (call) call.left = NO_LIMIT
  }

  answered({ number, result, error }: HostMessage & { readonly godwit: 'reply' }): void {
    const call = this.#open.get(number)
    if (!call) return
    this.#open.delete(number)
    const isWrite = call.facts.kind === 'write'
    if (isWrite) this.#answered.push(number)
    if (isWrite && !error) this.#parts.wrote()
    if (error) call.reject(fromWire(error))
    else call.resolve(deepFreeze(result))
  }

  #begin(facts: CallFacts, posted: boolean): Promise<unknown> {
    let resolve!: OpenCall['resolve']
    let reject!: OpenCall['reject']
    const promise = new Promise<unknown>((done, failed) => {
      resolve = done
      reject = failed
    })
    const call: OpenCall = { facts, promise, resolve, reject, posted, left: CALL_TIMEOUT }
    this.#open.set(facts.number, call)
    this.#post(call)
    this.#stop ??= this.#parts.timers.set(() => this.#second(), SECOND_MS)
    return promise
  }

  #post(call: OpenCall): void {
    const { clock, generation, post } = this.#parts
    const current = generation()
    if (current === undefined) return
    const { facts } = call
    try {
      post({
        godwit: 'call',
        generation: current,
        before: clock() + CALL_START_LIMIT_MS,
        repeat: call.posted,
        acknowledged: this.#answered,
        ...facts,
      })
    } catch (cause) {
      const message = `${facts.on}.${facts.method}: expected values that a message can carry. Functions do not cross threads: use an action.`
      this.#reject(call, new SyncError('value_not_allowed', message, { cause }))
      return
    }
    this.#answered = []
    call.posted = true
  }

  #mayRepeat(call: OpenCall): boolean {
    const { kind, method } = call.facts
    if (kind !== 'once' || !call.posted) {
      call.left = CALL_TIMEOUT
      return true
    }
    const message = `Another thread now owns the device, and ${method} may or may not have been done. Check before you call it again.`
    this.#reject(call, new SyncError('device_moved', message, { details: { method } }))
    return false
  }

  #reject(call: OpenCall, error: SyncError): void {
    this.#open.delete(call.facts.number)
    call.reject(error)
  }

  #second(): void {
    const { busy, generation, post, tick, timers } = this.#parts
    tick()
    if (!busy()) for (const call of this.#open.values()) if (--call.left < 0) this.#giveUp(call)
    if (this.#answered.length > 0 && generation() !== undefined) {
      post({ godwit: 'acknowledge', numbers: this.#answered })
      this.#answered = []
    }
    const isOver = this.#open.size === 0 && this.#answered.length === 0
    this.#stop = isOver ? undefined : timers.set(() => this.#second(), SECOND_MS)
  }

  #giveUp(call: OpenCall): void {
    const { number, method } = call.facts
    const message = `The device did not respond to ${method} in time, and it may or may not have been done. Call repeat(error), which does it only once.`
    const error = new SyncError('owner_silent', message, { details: { call: number, method } })
    this.#silent.set(error, call)
    this.#reject(call, error)
  }
}
