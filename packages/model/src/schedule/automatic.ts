import { isSyncError } from '@godwit/protocol'
import type { OpenModel } from '../database/open-models.js'
import type { EventStream } from '../events/event-stream.js'
import { type Hint, hasAll } from '../events/hint.js'
import type { Timers } from '../platform/timers.js'
import type { WatchNetwork } from '../platform/watch-network.js'
import type { Session } from '../run/device-session.js'
import type { Runner } from '../sync/runner.js'
import type { SyncSummary } from '../sync/sync.js'
import { FirstRun } from './first-run.js'
import { LockRetries } from './lock-retries.js'
import { OutboxSender } from './sender.js'
import { endOf, failedEnd } from './sync-end.js'
import { Schedule, type SyncScope } from './sync-schedule.js'

export interface AutomaticParts {
  readonly timers: Timers
  /** A random number from 0 to 1. */
  readonly random: () => number
  readonly session: Pick<Session, 'token' | 'clientId'>
  readonly runner: Pick<Runner, 'runQueued' | 'runConcurrently' | 'stop'>
  /** The models that sync, including those not used yet. */
  readonly synced: () => readonly OpenModel[]
  /** Whether a request of the model would carry anything now. */
  readonly canSend: (model: OpenModel) => boolean
  /** Creates the event stream; undefined if the device does not listen. */
  readonly listen: ((automatic: Automatic) => EventStream) | undefined
  /** False: writes are sent only with syncs. */
  readonly sendsWrites: boolean
  readonly network: WatchNetwork
  /** False for a device without a server. */
  readonly hasServer: boolean
  /** Whether the last request was answered; null before the first. */
  readonly isReachable: () => boolean | null
  /** Called for a source that is written to so often that its changes are sent more slowly. */
  readonly busy: (source: string) => void
}

/** Seconds between syncs. */
const POLL_SECONDS = 60
/** Milliseconds that closing spends on sending. */
const LAST_SEND_MS = 2000

/** The automatic work of a device while a user is logged in: it syncs, sends writes, and listens for changes. */
export class Automatic {
  readonly #parts: AutomaticParts
  readonly #schedule: Schedule
  readonly #sender: OutboxSender
  readonly #patience: LockRetries
  readonly #stream: EventStream | undefined
  #first: FirstRun | undefined
  #unwatch = (): void => {}

  constructor(parts: AutomaticParts) {
    const { timers, random, busy, listen } = parts
    this.#parts = parts
    this.#schedule = new Schedule({ timers, random, run: wanted => this.#go(wanted) }, POLL_SECONDS)
    this.#sender = new OutboxSender({
      timers,
      busy,
      hasToSend: source => this.#toSend().some(({ name }) => name === source),
      mayBegin: source => this.#maySend(source),
      push: source => this.#push(source),
    })
    this.#patience = new LockRetries(timers)
    this.#stream = listen?.(this)
  }

  /** Seconds between syncs; 0 turns automatic work off. */
  get seconds(): number {
    return this.#schedule.seconds
  }

  set seconds(seconds: number) {
    this.#schedule.every(seconds)
    if (!this.#schedule.isOn) this.#sender.stop()
    this.#listen()
  }

  /** Whether the first sync is running. */
  get isFirst(): boolean {
    return this.#first !== undefined
  }

  begin(): void {
    if (!this.#parts.hasServer) return
    this.#schedule.start()
    this.#unwatch()
    this.#unwatch = this.#parts.network(() => this.online())
    this.#listen()
  }

  end(): void {
    this.#schedule.stop()
    this.#sender.stop()
    this.#patience.end()
    this.#unwatch()
    this.#stream?.stop()
    this.#first = undefined
  }

  /** Ends automatic work when the device closes, and sends for a moment if the server was reachable. */
  async finish(): Promise<void> {
    const { runner, timers, isReachable, session, sendsWrites } = this.#parts
    const sends = this.#schedule.isOn && sendsWrites && isReachable()
    this.end()
    await runner.stop()
    const models = sends && session.token !== null && session.clientId !== null ? this.#toSend() : []
    if (models.length === 0) return
    const cancel = timers.set(() => void runner.stop(), LAST_SEND_MS)
    await runner.runConcurrently({ models, query: {}, only: 'push', isAutomatic: true }).catch(noResult)
    cancel()
  }

  /** The app wrote to these models. `isEcho`: within a callback. */
  wrote(models: Iterable<string>, { isEcho }: { readonly isEcho: boolean }): void {
    if (!this.#schedule.isOn || !this.#parts.sendsWrites) return
    const synced = new Set(this.#parts.synced().map(({ name }) => name))
    for (const model of models) if (synced.has(model)) this.#sender.wrote(model, { isEcho })
  }

  /** A model that syncs was defined. Before the first run, it becomes part of that. */
  made(model: string): void {
    if (!this.#schedule.isOpening) this.#schedule.soon(new Map([[model, undefined]]), 0)
  }

  /** The server announced possible changes in these sources; those that the device already has are ignored. */
  hinted(hints: ReadonlyMap<string, Hint | undefined>, withinMilliseconds: number): void {
    const lacking = this.#lacking(hints).map(({ name }) => [name, hints.get(name)] as const)
    this.#schedule.soon(new Map(lacking), withinMilliseconds)
  }

  /** The partitions that the user may see have changed: a pull brings the new list. */
  accessChanged(source: string | undefined): void {
    const named = this.#parts.synced().filter(({ name, definition }) => definition.by && (source ?? name) === name)
    this.#schedule.soon(new Map(named.map(({ name }) => [name, undefined])), 0)
  }

  /** The server reported the state of its collections. */
  checked(hintOf: (source: string) => Hint, withinMilliseconds: number): void {
    this.hinted(new Map(this.#parts.synced().map(({ name }) => [name, hintOf(name)])), withinMilliseconds)
  }

  /** The server is reachable again: waiting changes are sent immediately. */
  reached(): void {
    if (!this.#schedule.reached()) return
    this.wrote(
      this.#toSend().map(({ name }) => name),
      { isEcho: false },
    )
    this.#sender.resume()
  }

  /** The platform reports a network. */
  online(): void {
    const wasOffline = this.#schedule.reached()
    this.#stream?.again()
    if (wasOffline) this.#go({ kind: 'all', without: new Set() })
  }

  /** Syncs everything on request, or joins the running first sync. */
  all(): Promise<SyncSummary> {
    const models = this.#parts.synced()
    const { runner } = this.#parts
    if (this.#first) return this.#first.joined(models, rest => this.watch(runner.runQueued(rest), true))
    const isFirst = this.#schedule.isOpening
    this.#schedule.taken()
    return this.watch(isFirst ? this.#beginFirstRun(models, false) : runner.runQueued({ models, query: {} }), true)
  }

  /** Adapts the back-off to the result of a run, automatic or not. */
  async watch(run: Promise<SyncSummary>, isAll: boolean): Promise<SyncSummary> {
    const { session } = this.#parts
    const before = new Set(this.#toSend())
    try {
      const summary = await run
      this.#schedule.ended(endOf(summary, isAll))
      this.#listen()
      this.#follow(summary, before)
      return summary
    } catch (error) {
      if (session.token === null) this.end()
      this.#schedule.ended(failedEnd(isSyncError(error) ? { ...error.details, code: error.code } : {}, isAll))
      throw error
    }
  }

  /** Sends changes that waited for their owner, for an outcome or for the end of a run. `before`: the models that could send when it began. */
  #follow({ sources }: SyncSummary, before: ReadonlySet<OpenModel>): void {
    const moved = new Set(sources.flatMap(({ source, sent, received }) => (sent + received > 0 ? [source] : [])))
    const waiting = this.#toSend()
    const freed = waiting.filter(({ definition }) =>
      [...definition.belongsTo.values()].flat().some(owner => moved.has(owner)),
    )
    const left = waiting.filter(
      model => !before.has(model) || sources.some(({ source, sent }) => source === model.name && sent > 0),
    )
    this.wrote(
      freed.map(({ name }) => name),
      { isEcho: false },
    )
    // More than one request could carry, what an outcome has freed, or writes made by handlers of refusals.
    this.wrote(
      left.map(({ name }) => name),
      { isEcho: true },
    )
    this.#sender.resume()
  }

  #go(scope: SyncScope): void {
    const { runner, session, synced } = this.#parts
    if (session.token === null) return
    if (scope.kind === 'all') {
      const models = synced().filter(({ name }) => !scope.without.has(name))
      const isFirst = this.#schedule.isOpening
      this.#schedule.taken()
      this.#runAutomatically(
        () =>
          isFirst ? this.#beginFirstRun(models, true) : runner.runQueued({ models, query: {}, isAutomatic: true }),
        true,
      )
      return
    }
    const { sources: hints } = scope
    const models = this.#lacking(hints)
    if (models.length > 0)
      this.#runAutomatically(() => runner.runConcurrently({ models, query: {}, hints, isAutomatic: true }), false)
  }

  /** Starts the first run; a `sync()` meanwhile returns its summary. */
  #beginFirstRun(models: readonly OpenModel[], isAutomatic: boolean): Promise<SyncSummary> {
    const first = new FirstRun(this.#parts.runner, models, isAutomatic)
    this.#first = first
    const forget = (): void => {
      if (this.#first === first) this.#first = undefined
    }
    first.summary.then(forget, forget)
    return first.summary
  }

  #push(source: string): Promise<void> {
    const { runner } = this.#parts
    const models = this.#toSend().filter(({ name }) => name === source)
    return this.#runAutomatically(
      () => runner.runConcurrently({ models, query: {}, only: 'push', isAutomatic: true }),
      false,
    )
  }

  /** Runs an automatic sync. Failures were reported as events; callers who want errors use `sync`. */
  #runAutomatically(run: () => Promise<SyncSummary>, isAll: boolean): Promise<void> {
    return this.#patience.unlocked(() => this.watch(run(), isAll)).then(noResult, noResult)
  }

  #maySend(source: string): boolean {
    const { session, synced, sendsWrites } = this.#parts
    const model = synced().find(({ name }) => name === source)
    if (!this.#schedule.isOn || !sendsWrites || session.token === null || session.clientId === null || !model)
      return false
    const isKnown = model.isBulkOnly || model.definition.by !== undefined || model.state.get().epoch !== null
    return isKnown && !this.#schedule.isOpening && !this.#schedule.mustWait(source)
  }

  #toSend(): readonly OpenModel[] {
    const { synced, canSend } = this.#parts
    return synced().filter(canSend)
  }

  #lacking(hints: ReadonlyMap<string, Hint | undefined>): readonly OpenModel[] {
    const named = this.#parts.synced().filter(({ name }) => hints.has(name))
    return named.filter(model => {
      const hint = hints.get(model.name)
      return hint === undefined || !hasAll(model, hint)
    })
  }

  /** Starts listening, which needs a client id: there is none before the first sync. */
  #listen(): void {
    const { session } = this.#parts
    if (this.#schedule.isOn && session.token !== null && session.clientId !== null)
      this.#stream?.start(session.clientId)
    else this.#stream?.stop()
  }
}

const noResult = (): void => {}
