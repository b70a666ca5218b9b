import type { Attributes, AuditEntry } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import type { BaseEngine } from '../base/base-engine.js'
import type { RecentMap } from '../base/recent-map.js'
import type { UnknownEffect } from './changes/unknown-effect.js'
import type { AccessCache } from './partitions/access-cache.js'
import type { QueryRuns } from './query/query-runs.js'
import type { ChangeAnnouncer } from './sources/change-announcer.js'
import type { Sources } from './sources/sources.js'

/** What calls to backends and writes of backends use. */
export interface BackendEngine extends BaseEngine {
  readonly sources: Sources
  readonly queryRuns: QueryRuns
  readonly changes: ChangeAnnouncer
  /** Looks at single objects again. */
  readonly objectReadings: ObjectReader
  /** Which sources have a feed that is silent. */
  readonly staleSources: FeedSilence
  /** What sources with `by` said of users' access in the last seconds. */
  readonly accessCache: AccessCache
  /** Scopes of collections whose descriptions this process has read, since the code may return other ones after a restart. */
  readonly described: RecentMap<true>
  /** Records removals that an operator should know of. */
  readonly auditor: RemovalsAudit
  readonly metrics: QueryMetrics
  /** Reads the attributes of users for sources; absent if no provider of tokens is configured. */
  readonly claims?: { read(login: string): Promise<Attributes> } | undefined
}

/** Reads single objects again, where that serves a request for a query. */
export interface ObjectReader {
  /** Begins to read the object of a mutation. `queryRequest`: the number of the request that was made for it; undefined: none was. */
  serve(engine: BackendEngine, effect: UnknownEffect, queryRequest: number | undefined): void
  /** Returns the end of the readings of a partition; undefined if there are none. */
  running(collection: CollectionId): Promise<void> | undefined
}

/** Which feeds are silent, as this process knows it. */
export interface FeedSilence {
  /** Returns since when the feed of a source is silent, ISO 8601; undefined: it is up to date, or there is none. */
  since(source: string): string | undefined
  /** Reads the state of all feeds. Returns the sources that became stale, or are no longer. */
  refresh(engine: Pick<BackendEngine, 'store' | 'sources' | 'limits'>): Promise<readonly string[]>
}

/** The audit log, to which removals that a query would make are reported. */
export interface RemovalsAudit {
  /** Resolves when the entry is stored. */
  record(action: Omit<AuditEntry, 'number' | 'hash'>): Promise<void>
}

/** Durations and failures of queries by source, and of feeds by name. */
export interface QueryMetrics {
  readonly queries: { observe(labels: { readonly source: string }, seconds: number): void }
  readonly failedQueries: { inc(labels: { readonly source: string }, count?: number): void }
  readonly feedLag: { observe(labels: { readonly feed: string }, seconds: number): void }
  readonly feedRestarts: { inc(labels: { readonly feed: string }): void }
}
