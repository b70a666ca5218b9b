import { SyncError } from '@godwit/protocol'
import type { BlobName, CollectionId, LeaseName, RecordKind } from '@godwit/store'

/** The keys of a collection and its journal, in one hash tag. */
export const COLLECTION_KEYS = [
  'head',
  'leases',
  'objects',
  'live',
  'ids',
  'tombstones',
  'batches',
  'changeLog',
  'readers',
  'cursors',
  'clients',
  'places',
  'mutations',
  'undecided',
  'byObject',
  'byOwner',
  'creates',
  'given',
  'started',
  'passing',
] as const
/** A key of a collection and its journal. */
export type CollectionKey = (typeof COLLECTION_KEYS)[number]

/** A key in which a query's result is staged; each query has a separate set. */
export type StagingKey = 'staged' | 'changes' | 'removals'

/** A key of a document scope. */
export type ScopeKey = 'contents' | 'names'
/** A key of a blob; its bytes are split into numbered chunks. */
export type BlobKey = 'facts' | 'holders' | `bytes:${number}`
/** A key of an account's charges: bytes by blob, and the time of each charge. */
export type ChargesKey = 'bytes' | 'since'
/** A key of the records of one kind: their texts, and the two indexes of their names. */
export type RecordKey = 'records' | 'starts' | 'leaves'
/** A key of the job records, beside BullMQ's queues. */
export type JobsKey = 'records' | 'names' | 'dead' | 'groups' | 'queues' | 'parked'
/** A key of the indexes over collections and blobs. */
export type IndexKey = 'starts' | 'leaves' | 'undecided' | 'removals' | 'blobs'

/** Returns the full name of a key, within one hash tag. */
export type KeyNames<Name extends string> = (name: Name) => string

const DEFAULT_PREFIX = 'godwit:'

/** How many collections' key names are cached. Each takes a few hundred bytes; building one costs as much as sending it. */
const MAX_COLLECTIONS = 1_000

/** Builds all key names. The hash tag between the braces decides which server of a Cluster holds a key. */
export class Keys {
  readonly #prefix: string
  readonly #collections = new Map<string, KeyNames<CollectionKey>>()

  constructor(prefix: string = DEFAULT_PREFIX) {
    if (/[{}]/.test(prefix))
      throw new SyncError(
        'value_not_allowed',
        `expected a key prefix without { or } (they mark hash tags), got ${prefix}.`,
      )
    this.#prefix = prefix
  }

  of(collection: CollectionId): KeyNames<CollectionKey> {
    const name = `${collection.source.length} ${collection.source}${collection.partition}`
    const known = this.#collections.get(name)
    if (known) return known
    const named = this.#cachedKeyNames(collectionTag(collection))
    if (this.#collections.size >= MAX_COLLECTIONS) this.#collections.clear()
    this.#collections.set(name, named)
    return named
  }

  staging(collection: CollectionId, query: string): KeyNames<StagingKey> {
    const naming = this.#keyNames<string>(collectionTag(collection))
    return name => naming(`staging:${query}:${name}`)
  }

  /** The key that is written to check whether replicas have caught up. */
  confirmed(collection: CollectionId): string {
    return this.#keyNames<string>(collectionTag(collection))('confirmed')
  }

  leases(name: LeaseName): string {
    if (name.kind !== 'server') return this.of(name.collection)('leases')
    return this.#keyNames<string>(`lease:${encodeName(name.name)}`)('leases')
  }

  counter(name: string): string {
    return this.#keyNames<string>(`counter:${encodeName(name)}`)('count')
  }

  scope(scope: string): KeyNames<ScopeKey> {
    return this.#keyNames(`documents:${encodeName(scope)}`)
  }

  blob({ scope, name }: BlobName): KeyNames<BlobKey> {
    return this.#keyNames(`blob:${encodeName(scope)}:${encodeName(name)}`)
  }

  charges(account: string): KeyNames<ChargesKey> {
    return this.#keyNames(`charges:${encodeName(account)}`)
  }

  get audit(): KeyNames<'head' | 'rows'> {
    return this.#keyNames('audit')
  }

  get series(): KeyNames<'names'> {
    return this.#keyNames('series')
  }

  /** The key of one series' points. */
  points(key: string): string {
    return this.#keyNames<string>('series')(`points:${encodeName(key)}`)
  }

  records(kind: RecordKind): KeyNames<RecordKey> {
    return this.#keyNames(`records:${kind}`)
  }

  get index(): KeyNames<IndexKey> {
    return this.#keyNames('index')
  }

  /** Names the job keys. All share one server, since groups span queues; parked tickets have a key for each group. */
  jobs(group = ''): KeyNames<JobsKey> {
    return name => `${this.queues}:${name === 'parked' ? `parked:${encodeName(group)}` : name}`
  }

  /** Prefix of every job key. `pattern` does not match it, since jobs do not belong to the store. */
  get queues(): string {
    return `${this.#prefix}jobs:{${this.#prefix}jobs}`
  }

  /** The BullMQ name of a queue, which must be non-empty and without colons. */
  queue(name: string): string {
    return `queue-${encodeName(name)}`
  }

  /** The BullMQ keys of a queue that exist even while it is empty. */
  ofQueue(name: string): readonly string[] {
    return ['meta', 'events', 'id', 'marker'].map(key => `${this.queues}:${this.queue(name)}:${key}`)
  }

  /** The channel that announces new queues. */
  get newQueues(): string {
    return `${this.queues}:new-queues`
  }

  channel(name: string): string {
    return this.#keyNames<string>(`channel:${encodeName(name)}`)('events')
  }

  /** A SCAN pattern for every key of this store. */
  get pattern(): string {
    return `${this.#prefix.replaceAll(/[\\*?[\]]/g, '\\$&')}{*`
  }

  /** True if a key holds records of one of these kinds. */
  isOfRecords(key: string, kinds: readonly RecordKind[]): boolean {
    return kinds.some(kind => key.startsWith(`${this.#prefix}{records:${kind}}`))
  }

  isOfAudit(key: string): boolean {
    return key.startsWith(`${this.#prefix}{audit}:`)
  }

  /** True if a key holds leases: their fences must outlive the data they guard. */
  isOfLeases(key: string): boolean {
    return key.endsWith('}:leases')
  }

  /** Caches the names of one collection's keys. */
  #cachedKeyNames(tag: string): KeyNames<CollectionKey> {
    const naming = this.#keyNames<CollectionKey>(tag)
    const spelled: Partial<Record<CollectionKey, string>> = {}
    return name => {
      spelled[name] ??= naming(name)
      return spelled[name]
    }
  }

  #keyNames<Name extends string>(tag: string): KeyNames<Name> {
    return name => `${this.#prefix}{${tag}}:${name}`
  }
}

const collectionTag = ({ source, partition }: CollectionId) =>
  `collection:${encodeName(source)}:${encodeName(partition)}`

/** Percent-encoding keeps braces and colons out of a hash tag, since names are untrusted text. */
const encodeName = (name: string) => encodeURIComponent(name.toWellFormed())
