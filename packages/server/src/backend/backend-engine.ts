import type { Attributes, AuditEntry } from '@godwit/protocol'
import type { BaseEngine } from '../base/base-engine.js'
import type { RecentMap } from '../base/recent-map.js'
import type { ObjectReadings } from './changes/object-readings.js'
import type { StaleSources } from './feeds/stale-sources.js'
import type { QueryRuns } from './query/query-runs.js'
import type { ChangeAnnouncer } from './sources/change-announcer.js'
import type { Sources } from './sources/sources.js'

/** What calls to backends and writes of backends use. */
export interface BackendEngine extends BaseEngine {
  readonly sources: Sources
  readonly queryRuns: QueryRuns
  readonly changes: ChangeAnnouncer
  /** Looks at single objects again. */
  readonly objectReadings: ObjectReadings
  /** Which sources have a feed that is silent. */
  readonly staleSources: StaleSources
  /** Scopes of collections whose descriptions this process has read, since the code may return other ones after a restart. */
  readonly described: RecentMap<true>
  /** Records removals that an operator should know of. */
  readonly auditor: RemovalsAudit
  readonly metrics: QueryMetrics
  /** Reads the attributes of users for sources; absent if no provider of tokens is configured. */
  readonly claims?: { read(login: string): Promise<Attributes> } | undefined
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
