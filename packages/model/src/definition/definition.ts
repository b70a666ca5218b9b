import type { AttributeValue } from '@godwit/protocol'
import type { ValueLimits } from './attribute-type.js'
import type { AttributeType } from './attribute-types.js'
import type { Migrate } from './migration.js'

export const PARTITIONS = ['local', 'user', 'app'] as const
export type Partition = (typeof PARTITIONS)[number]

export const SYNC_TYPES = ['none', 'incremental', 'bulk_only'] as const
export type SyncType = (typeof SYNC_TYPES)[number]

/** What a typed attribute shows if it has no valid value: the empty value of its type, nothing, or its default. */
export type Presence = 'required' | 'optional' | 'default'

export interface AttributeDefinition extends ValueLimits {
  /** The name in tables and in the protocol. */
  readonly name: string
  readonly type: AttributeType
  /** For blobs: the server's file replaces the device's. */
  readonly option: 'overwrite' | null
  /** Present for every attribute of a typed model, and only there. */
  readonly presence?: Presence
  /** Stored by `create` and displayed for a missing value. Only with presence `default`. */
  readonly default?: AttributeValue
  /** The name in typed apps. Not stored. */
  readonly appName?: string
  /** How the table of a higher schema version differs: the column is missing, or its Enum has more values. Not stored. */
  readonly column?: 'absent' | 'wider'
}

export interface IndexDefinition {
  readonly name: string
  readonly attributes: readonly string[]
  readonly unique: boolean
}

/** The complete definition of a model, produced by both APIs. */
export interface Definition {
  readonly name: string
  /** `fixed`: only declared attributes, always frozen. `bag`: any attributes; undeclared ones are one JSON value per object. */
  readonly storage: 'bag' | 'fixed'
  readonly partition: Partition
  readonly syncType: SyncType
  /** Sync order, from 1; lower numbers sync first. Default 1000. */
  readonly syncPriority: number
  /** If true, writes of undeclared attributes are rejected. */
  readonly freezed: boolean
  readonly fullUpdate: boolean
  readonly passThrough: boolean
  /** Version of the schema, compared numerically. */
  readonly schemaVersion: number
  readonly attributes: ReadonlyMap<string, AttributeDefinition>
  readonly indexes: readonly IndexDefinition[]
  /** The models whose ids an attribute holds, usually one, by attribute. */
  readonly belongsTo: ReadonlyMap<string, readonly string[]>
  /** The attributes that name the partition of an object, for a source with `by`. */
  readonly by?: readonly string[]
  /** Present for models made by `defineModel`: rows show the declared attributes, each of its type. */
  readonly typed?: true
  /** String attributes for full-text `search`. */
  readonly textSearch?: readonly string[]
  /** The app's migration. Not stored. */
  readonly migrate?: Migrate | undefined
}
