import type { AttributeValue } from '@godwit/protocol'
import type { ValueLimits } from './attribute-type.js'
import type { AttributeType } from './attribute-types.js'
import type { Migrate } from './migration.js'

export const PARTITIONS = ['local', 'user', 'app'] as const
export type Partition = (typeof PARTITIONS)[number]

export const SYNC_TYPES = ['none', 'incremental', 'bulk_only'] as const
export type SyncType = (typeof SYNC_TYPES)[number]

/** What a typed attribute shows where its value is absent or does not fit: the empty value of its type, nothing, or its default. */
export type Presence = 'required' | 'optional' | 'default'

export interface AttributeDefinition extends ValueLimits {
  /** As in tables and on the wire. */
  readonly name: string
  readonly type: AttributeType
  /** Blobs: the server's copy replaces the device's. */
  readonly option: 'overwrite' | null
  /** Of typed models: every attribute of theirs has one, and no other has. */
  readonly presence?: Presence
  /** Taken by `create` and shown when the attribute is missing: with the presence `default` alone. */
  readonly default?: AttributeValue
  /** What typed apps call it. Not kept. */
  readonly appName?: string
  /** In a table of a higher schema version: it has no such column, or an Enum of more values. Not kept. */
  readonly column?: 'absent' | 'wider'
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
  /** From `defineModel`: what the app sees of a row has the declared attributes, each of its type. */
  readonly typed?: true
  /** String attributes that `search` looks in. */
  readonly textSearch?: readonly string[]
  /** The app's part of a migration; not kept. */
  readonly migrate?: Migrate | undefined
}
