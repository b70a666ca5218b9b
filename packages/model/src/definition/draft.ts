import { checkDefinition } from './check-definition.js'
import type { AttributeDefinition, Definition, IndexDefinition, Partition, SyncType } from './definition.js'
import type { Migrate } from './migration.js'

/** A definition under construction, changed by `settings.ts`. */
export interface Draft {
  readonly name: string
  storage: Definition['storage']
  /** The partition; undefined if it follows from the sync type. */
  partition: Partition | undefined
  syncType: SyncType
  syncPriority: number
  freezed: boolean
  fullUpdate: boolean
  passThrough: boolean
  schemaVersion: number
  readonly attributes: Map<string, AttributeDefinition>
  readonly indexes: Map<string, IndexDefinition>
  readonly belongsTo: Map<string, readonly string[]>
  migrate?: Migrate | undefined
}

export const newDraft = (name: string): Draft => ({
  name,
  storage: 'bag',
  partition: undefined,
  syncType: 'none',
  syncPriority: 1000,
  freezed: false,
  fullUpdate: false,
  passThrough: false,
  schemaVersion: 0,
  attributes: new Map(),
  indexes: new Map(),
  belongsTo: new Map(),
})

/** Copies a draft. */
export const copyOf = (draft: Draft): Draft => ({
  ...draft,
  attributes: new Map(draft.attributes),
  indexes: new Map(draft.indexes),
  belongsTo: new Map(draft.belongsTo),
})

/** Returns a draft of a defined model. A partition that was derived from the sync type stays derived. */
export const draftOf = (definition: Definition): Draft => ({
  ...definition,
  partition: definition.partition === partitionOf(definition.syncType) ? undefined : definition.partition,
  attributes: new Map(definition.attributes),
  indexes: new Map(definition.indexes.map(index => [index.name, index])),
  belongsTo: new Map(definition.belongsTo),
})

const partitionOf = (syncType: SyncType): Partition => (syncType === 'none' ? 'local' : 'user')

/** Completes a definition. Throws `definition_invalid` if its parts contradict each other. */
export function definitionOf(draft: Draft): Definition {
  const definition: Definition = {
    ...draft,
    partition: draft.partition ?? partitionOf(draft.syncType),
    freezed: draft.freezed || draft.storage === 'fixed',
    attributes: withOwners(draft),
    indexes: [...draft.indexes.values()],
    belongsTo: new Map(draft.belongsTo),
  }
  checkDefinition(definition)
  return definition
}

/** Returns the attributes with those that hold ids of owners, even if they are not declared. */
function withOwners({ attributes, belongsTo }: Draft): Definition['attributes'] {
  const owners = [...belongsTo.keys()].filter(name => !attributes.has(name))
  return new Map([...attributes, ...owners.map(name => [name, { name, type: 'String', option: null }] as const)])
}
