import type { AttributeDefinition, Definition, IndexDefinition } from '../definition/definition.js'

type Stored = Omit<Definition, 'attributes' | 'belongsTo'> & {
  readonly attributes: readonly AttributeDefinition[]
  readonly belongsTo: readonly (readonly [string, string])[]
}

/** A definition as text; equal definitions give equal texts. */
export function writeDefinition(definition: Definition): string {
  const { name, storage, partition, syncType, syncPriority, freezed, fullUpdate, passThrough, schemaVersion } =
    definition
  const stored: Stored = {
    name,
    storage,
    partition,
    syncType,
    syncPriority,
    freezed,
    fullUpdate,
    passThrough,
    schemaVersion,
    attributes: [...definition.attributes.values()],
    indexes: definition.indexes.map(({ name, attributes, unique }): IndexDefinition => ({ name, attributes, unique })),
    belongsTo: [...definition.belongsTo],
  }
  return JSON.stringify(stored)
}

export function readDefinition(text: string): Definition {
  const stored = JSON.parse(text) as Stored
  return {
    ...stored,
    attributes: new Map(stored.attributes.map(attribute => [attribute.name, attribute])),
    belongsTo: new Map(stored.belongsTo),
  }
}
