import { SyncError } from '@godwit/protocol'
import type { BlobName, CollectionId, LeaseName, RecordKind } from '@godwit/store'

/** What a collection and its journal consist of: keys of one hash tag. */
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
/** What a collection and its journal consist of. */
export type CollectionKey = (typeof COLLECTION_KEYS)[number]

/** What a query's result is staged in, beside the collection and for one query alone. */
export type StagingKey = 'staged' | 'changes' | 'removals'

/** What the documents of a scope consist of. */
export type ScopeKey = 'contents' | 'names'
/** The bytes of a blob are cut into numbered values. */
export type BlobKey = 'facts' | 'holders' | `bytes:${number}`
/** What an account is charged with, by blob, and since when. */
export type ChargesKey = 'bytes' | 'since'
/** What the records of one kind consist of: their texts, and the two orders of their names. */
export type RecordKey = 'records' | 'starts' | 'leaves'
/** What jobs consist of, beside the queues of the library that hands them out. */
export type JobsKey = 'records' | 'names' | 'dead' | 'groups' | 'queues' | 'parked'
/** Indexes over all collections, and over all blobs. */
export type IndexKey = 'starts' | 'leaves' | 'undecided' | 'blobs'

/** Gives a key its full name, within one hash tag. */
export type KeyNames<Name extends string> = (name: Name) => string

const DEFAULT_PREFIX = 'godwit:'

/** How many collections' key names are cached: each is a few hundred bytes, and building one takes as long as sending it. */
const MAX_COLLECTIONS = 1_000

/** The only place where a key is spelled. What stands between the braces decides which server of a Cluster has it. */
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

  /** Written to see how far replicas are. */
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

  /** The points of one key of the series. */
  points(key: string): string {
    return this.#keyNames<string>('series')(`points:${encodeName(key)}`)
  }

  records(kind: RecordKind): KeyNames<RecordKey> {
    return this.#keyNames(`records:${kind}`)
  }

  get index(): KeyNames<IndexKey> {
    return this.#keyNames('index')
  }

  /** Jobs are on one server, as their groups go over all queues. What is parked, is parked for a group. */
  jobs(group = ''): KeyNames<JobsKey> {
    return name => `${this.queues}:${name === 'parked' ? `parked:${encodeName(group)}` : name}`
  }

  /** Before every key of jobs; outside of what `pattern` matches, as the store does not own them. */
  get queues(): string {
    return `${this.#prefix}jobs:{${this.#prefix}jobs}`
  }

  /** A queue's name for the library, whose own are without colons and not empty. */
  queue(name: string): string {
    return `queue-${encodeName(name)}`
  }

  /** What the library keeps of a queue even while it is empty. */
  ofQueue(name: string): readonly string[] {
    return ['meta', 'events', 'id', 'marker'].map(key => `${this.queues}:${this.queue(name)}:${key}`)
  }

  /** Where workers hear of a queue that is new. */
  get newQueues(): string {
    return `${this.queues}:new-queues`
  }

  channel(name: string): string {
    return this.#keyNames<string>(`channel:${encodeName(name)}`)('events')
  }

  /** Matches every key of this store, for SCAN. */
  get pattern(): string {
    return `${this.#prefix.replaceAll(/[\\*?[\]]/g, '\\$&')}{*`
  }

  /** Whether a key that SCAN gave belongs to records of these kinds. */
  isOfRecords(key: string, kinds: readonly RecordKind[]): boolean {
    return kinds.some(kind => key.startsWith(`${this.#prefix}{records:${kind}}`))
  }

  isOfAudit(key: string): boolean {
    return key.startsWith(`${this.#prefix}{audit}:`)
  }

  /** Whether it holds leases: their fences must outlive what they guarded. */
  isOfLeases(key: string): boolean {
    return key.endsWith('}:leases')
  }

  /** Each is spelled once. */
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

/** Names are hostile text: percent signs keep braces and colons out of a tag. */
const encodeName = (name: string) => encodeURIComponent(name.toWellFormed())
