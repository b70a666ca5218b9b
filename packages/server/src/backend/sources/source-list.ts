import { SyncError } from '@godwit/protocol'
import { type ChangeableSettings, defineSource, isSourceName, type Source } from '@godwit/source'
import type { Store } from '@godwit/store'
import type { Sources } from './sources.js'
import {
  countNames,
  forgetName,
  readStoredSettings,
  type StoredSettings,
  saveSettings,
  storeName,
} from './stored-settings.js'

const MAX_DYNAMIC_SOURCES = 1000

/** Options for dynamic sources, and the wrapper of each source. */
export interface SourceListOptions {
  /** Creates unknown sources at their first use. Default false. */
  readonly dynamic?: boolean
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly clock?: () => number
  /** The number of dynamic sources per user. Default: no limit. */
  readonly mostOfUser?: number
  /** Makes the error for one source too many. */
  readonly refusal?: (most: number) => SyncError
  /** True if the plugin backend serves sources at present. Asked at each reload. Default: false. */
  readonly isRemote?: () => Promise<boolean>
  /** Returns the source that serves calls. Default: the source itself. */
  readonly serve?: (source: Source, isRemote: boolean) => Source
}

/**
 * Returns the configured sources with the settings that operators changed. Throws `value_not_allowed` for a duplicate name or a `belongsTo` without
 * its source.
 */
export async function createSourceList(
  sources: readonly Source[],
  store: Pick<Store, 'registry'>,
  {
    dynamic = false,
    clock = Date.now,
    mostOfUser = Number.POSITIVE_INFINITY,
    refusal = tooMany,
    isRemote = async () => false,
    serve = source => source,
  }: SourceListOptions = {},
): Promise<Sources> {
  checkNames(sources)
  const list = new SourceList(sources, store, { dynamic, clock, mostOfUser, refusal, isRemote, serve })
  await list.refresh()
  checkOwners(list)
  return list
}

class SourceList implements Sources {
  readonly #defined: readonly Source[]
  readonly #store: Pick<Store, 'registry'>
  readonly #options: Required<SourceListOptions>
  #isRemote = false
  #configured: ReadonlyMap<string, Source>
  #byName: ReadonlyMap<string, Source> = new Map()
  #byPriority: readonly Source[] = []
  /** The number of local changes, so that a read that began before one is recognised as outdated. */
  #changes = 0

  constructor(defined: readonly Source[], store: Pick<Store, 'registry'>, options: Required<SourceListOptions>) {
    this.#defined = defined
    this.#store = store
    this.#options = options
    this.#configured = this.#served()
  }

  all(): readonly Source[] {
    return this.#byPriority
  }

  find(name: string): Source | undefined {
    return this.#byName.get(name)
  }

  get(name: string): Source {
    const source = this.find(name)
    if (source !== undefined) return source
    throw new SyncError(
      'source_not_found',
      `Source ${JSON.stringify(name)} does not exist. A model has the name of its source: define the source on the server, or rename the model.`,
    )
  }

  async learn(name: string, user?: string): Promise<Source> {
    const { dynamic, clock } = this.#options
    const isFull = this.#byName.size - this.#configured.size >= MAX_DYNAMIC_SOURCES
    if (!dynamic || this.#byName.has(name) || isFull) return this.get(name)
    const source = this.#createSource(name)
    const isNew = await storeName(this.#store, name, { user, at: clock() })
    if (isNew && user !== undefined) await this.#checkQuota(name, user)
    this.#add(source)
    return this.get(name)
  }

  forget(name: string): Promise<void> {
    return forgetName(this.#store, name)
  }

  async learnt(): Promise<ReadonlyMap<string, number>> {
    const kept = await readStoredSettings(this.#store)
    const plain = [...kept].filter(([, { dynamic, settings }]) => dynamic && Object.keys(settings).length === 0)
    return new Map(plain.map(([name, { learntAt }]) => [name, learntAt]))
  }

  /** Checked after the name is stored, so that concurrent requests cannot exceed the limit. */
  async #checkQuota(name: string, user: string): Promise<void> {
    const { mostOfUser, refusal } = this.#options
    if ((await countNames(this.#store, user)) <= mostOfUser) return
    await forgetName(this.#store, name)
    throw refusal(mostOfUser)
  }

  async change(name: string, change: Partial<ChangeableSettings>): Promise<Source> {
    const plain = this.#configured.get(name) ?? this.#createSource(this.get(name).name)
    const { settings } = await saveSettings(this.#store, name, change)
    const source = { ...plain, ...settings }
    this.#add(source)
    return source
  }

  async refresh(): Promise<void> {
    const before = this.#changes
    const [kept, isRemote] = await Promise.all([readStoredSettings(this.#store), this.#options.isRemote()])
    if (before !== this.#changes) return
    if (isRemote !== this.#isRemote) {
      this.#isRemote = isRemote
      this.#configured = this.#served()
    }
    this.#replaceAll(this.#applyStored(kept))
  }

  reset(): void {
    this.#changes++
    this.#replaceAll(this.#configured)
  }

  #applyStored(kept: ReadonlyMap<string, StoredSettings>): ReadonlyMap<string, Source> {
    const plain = new Map(this.#configured)
    for (const [name, { dynamic }] of kept) {
      const isListed = dynamic && this.#options.dynamic && isSourceName(name)
      if (isListed && !plain.has(name)) plain.set(name, this.#createSource(name))
    }
    return new Map([...plain].map(([name, source]) => [name, { ...source, ...kept.get(name)?.settings }]))
  }

  #served(): ReadonlyMap<string, Source> {
    return new Map(this.#defined.map(source => [source.name, this.#options.serve(source, this.#isRemote)]))
  }

  #createSource(name: string): Source {
    return this.#options.serve(defineSource({ name }), this.#isRemote)
  }

  #add(source: Source): void {
    this.#changes++
    this.#replaceAll(new Map(this.#byName).set(source.name, source))
  }

  #replaceAll(byName: ReadonlyMap<string, Source>): void {
    this.#byName = byName
    this.#byPriority = [...byName.values()].sort(
      (one, other) => one.syncPriority - other.syncPriority || (one.name < other.name ? -1 : 1),
    )
  }
}

const tooMany = (most: number): SyncError =>
  new SyncError('quota_exceeded', `expected at most ${most} sources of a user that are not configured, got one more.`)

function checkNames(sources: readonly Source[]): void {
  const names = new Set<string>()
  for (const { name } of sources) {
    if (names.has(name))
      throw new SyncError('value_not_allowed', `sources: expected one called ${name}, got two. Rename one.`)
    names.add(name)
  }
}

function checkOwners(sources: Pick<Sources, 'all' | 'find'>): void {
  for (const { name, belongsTo } of sources.all()) {
    for (const owner of Object.values(belongsTo)) {
      if (sources.find(owner)) continue
      throw new SyncError(
        'value_not_allowed',
        `belongsTo of ${name}: expected the name of a source, got ${owner}. Add that source.`,
      )
    }
  }
}
