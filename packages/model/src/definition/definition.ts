import type { Migrate } from './migration.js'

/** The declared types of attributes, as NewORMModel spells them. */
export const ATTRIBUTE_TYPES = ['String', 'Integer', 'Float', 'Boolean', 'Varchar', 'Blob'] as const
export type AttributeType = (typeof ATTRIBUTE_TYPES)[number]

export const PARTITIONS = ['local', 'user', 'app'] as const
export type Partition = (typeof PARTITIONS)[number]

export const SYNC_TYPES = ['none', 'incremental', 'bulk_only'] as const
export type SyncType = (typeof SYNC_TYPES)[number]

export interface AttributeDefinition {
  readonly name: string
  readonly type: AttributeType
  /** Blobs: the server's copy replaces the device's. */
  readonly option: 'overwrite' | null
  /** Taken by `create` when the attribute is missing. Typed face only. */
  readonly default?: string | number | boolean
}

export interface IndexDefinition {
  readonly name: string
  readonly attributes: readonly string[]
  readonly unique: boolean
}

/** A model, complete: the value that both faces produce and the engine takes. */
export interface Definition {
  readonly name: string
  /** `fixed`: what is declared and nothing else, always frozen. `bag`: any attribute; what is undeclared is one JSON value per object. */
  readonly storage: 'bag' | 'fixed'
  readonly partition: Partition
  readonly syncType: SyncType
  /** From 1; lower comes first. Default 1000. */
  readonly syncPriority: number
  /** Undeclared attributes are refused. */
  readonly freezed: boolean
  readonly fullUpdate: boolean
  readonly passThrough: boolean
  /** Compared as a number. */
  readonly schemaVersion: number
  readonly attributes: ReadonlyMap<string, AttributeDefinition>
  readonly indexes: readonly IndexDefinition[]
  /** Attribute → the models whose object ids it holds: one, mostly. */
  readonly belongsTo: ReadonlyMap<string, readonly string[]>
  /** The app's part of a migration; not kept. */
  readonly migrate?: Migrate | undefined
}
