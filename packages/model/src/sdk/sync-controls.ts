import { SyncError } from '@godwit/protocol'
import type { OpenModel } from '../database/open-models.js'
import type { BulkSummary } from '../sync/bulk-sync.js'
import { type SearchOptions, type SearchSummary, search } from '../sync/search-backends.js'
import type { SyncSummary } from '../sync/sync.js'
import type { AnyNameOf, NameOf } from './parts.js'
import type { SdkLifetime } from './sdk-lifetime.js'

/** Options of `bulkSync`. */
export interface BulkOptions<Name extends string = string> {
  /** Default: both. */
  readonly partition?: 'user' | 'app'
  /** Default: all models of the partition that sync. */
  readonly sources?: readonly Name[]
}

/** Options of one `sync`. */
export interface SyncRequest<Ms> {
  /** Default: all models that sync. */
  readonly models?: readonly NameOf<Ms>[] | undefined
  /** Passed to the query of each source. */
  readonly query?: { readonly [name: string]: string } | undefined
  /** Stops the running sync between pages, as `stopSync` does. */
  readonly signal?: Pick<AbortSignal, 'aborted' | 'addEventListener' | 'removeEventListener'> | undefined
}

/** Seconds. Timers hold milliseconds in a signed 32-bit integer. */
const MAX_INTERVAL_SECONDS = 2_000_000

/** Starts syncs on request and configures automatic ones. */
export class SyncControls<Ms> {
  readonly #lifetime: SdkLifetime<Ms>
  readonly #counts = new Map<string, number>()

  constructor(lifetime: SdkLifetime<Ms>) {
    this.#lifetime = lifetime
    const { parts } = lifetime
    parts.events.listen(event => {
      if (event.kind === 'progress') this.#counts.set(event.source, event.cumulative)
    })
    if (parts.session.token !== null) parts.automatic.begin()
    else void this.#signInAgain().catch(() => {})
  }

  /** After a restart: a session that ended meanwhile is renewed without the app. */
  async #signInAgain(): Promise<void> {
    const { signIn, session, automatic } = this.#lifetime.parts
    await signIn.ready()
    if (session.isRenewable && session.token !== null) automatic.begin()
  }

  async sync(
    given?: AnyNameOf<Ms> | SyncRequest<Ms>,
    parameters: { readonly [name: string]: string } = {},
  ): Promise<SyncSummary<NameOf<Ms>>> {
    const request: SyncRequest<Ms> =
      typeof given === 'object' && given !== null ? given : ({ models: given && [given] } as SyncRequest<Ms>)
    const { models: names, query = parameters, signal } = request
    if (signal?.aborted === true) return { sources: [], received: 0, sent: 0, stopped: true }
    const summary = await this.#lifetime.runAlive(async ({ runner, automatic, synced }) => {
      checkQuery(query)
      const all = synced()
      const models = names === undefined ? all : names.map(name => oneOf(all, name))
      for (const { name } of models) if (!automatic.isFirst) this.#counts.set(name, 0)
      const stop = () => void runner.stop()
      signal?.addEventListener('abort', stop)
      try {
        if (names === undefined && Object.keys(query).length === 0) return await automatic.all()
        return await automatic.watch(runner.runQueued({ models, query }), names === undefined)
      } finally {
        signal?.removeEventListener('abort', stop)
      }
    })
    return summary as SyncSummary<NameOf<Ms>>
  }

  async search(options: SearchOptions<NameOf<Ms>>): Promise<SearchSummary<NameOf<Ms>>> {
    const summary = await this.#lifetime.runAlive(({ synced, syncing }) => {
      const all = synced()
      const names = typeof options.sources === 'string' ? [options.sources] : options.sources
      return search(syncing, names ? names.map(name => oneOf(all, name)) : all, options)
    })
    return summary as SearchSummary<NameOf<Ms>>
  }

  async bulkSync({ partition, sources }: BulkOptions<NameOf<Ms>> = {}): Promise<BulkSummary> {
    const summary = await this.#lifetime.runAlive(({ synced, runner }) => {
      const all = synced()
      const named = sources ? sources.map(name => oneOf(all, name)) : all
      return runner.bulk(partition ? named.filter(({ definition }) => definition.partition === partition) : named)
    })
    for (const { source, rows } of summary.sources) {
      const { received = 0 } = summary.sync.sources.find(one => one.source === source) ?? {}
      this.#counts.set(source, rows + received)
    }
    return summary
  }

  /** Returns the number of objects that the last sync of a source, or of all, delivered or removed. */
  objectCount(source?: string): number {
    if (source !== undefined) return this.#counts.get(source) ?? 0
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0)
  }

  get pageSize(): number {
    return this.#lifetime.parts.settings.pageSize
  }

  set pageSize(rows: number) {
    if (!Number.isInteger(rows) || rows < 1 || rows > 10_000)
      throw new SyncError('value_not_allowed', `pageSize: expected a whole number from 1 to 10000, got ${rows}.`)
    this.#lifetime.parts.settings.pageSize = rows
  }

  get bulkThreshold(): number {
    return this.#lifetime.parts.settings.bulkThreshold
  }

  set bulkThreshold(rows: number) {
    if (!(rows >= 1))
      throw new SyncError('value_not_allowed', `bulkThreshold: expected a number from 1, or Infinity, got ${rows}.`)
    this.#lifetime.parts.settings.bulkThreshold = rows
  }

  get pollInterval(): number {
    return this.#lifetime.parts.automatic.seconds
  }

  set pollInterval(seconds: number) {
    if (!(seconds >= 0 && seconds <= MAX_INTERVAL_SECONDS))
      throw new SyncError(
        'value_not_allowed',
        `pollInterval: expected seconds from 0 to ${MAX_INTERVAL_SECONDS}, got ${seconds}.`,
      )
    this.#lifetime.parts.automatic.seconds = seconds
  }
}

/** Throws for names that the pull uses, because both kinds of parameters share the URL. */
function checkQuery(query: { readonly [name: string]: string }): void {
  const taken = ['token', 'p_size', 'acknowledged', 'pass_through'].find(name => Object.hasOwn(query, name))
  if (taken !== undefined)
    throw new SyncError('query_invalid', `The parameter ${taken} is reserved for the pull. Choose another name.`)
}

function oneOf(models: readonly OpenModel[], name: string): OpenModel {
  const model = models.find(model => model.name === name)
  if (model) return model
  throw new SyncError(
    'model_unknown',
    `There is no model ${JSON.stringify(name)} that syncs: expected one of ${models.map(({ name }) => name).join(', ')}.`,
  )
}
