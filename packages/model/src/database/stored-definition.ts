import type { AttributeDefinition, Definition, IndexDefinition } from '../definition/definition.js'

type DefinitionJson = Omit<Definition, 'attributes' | 'belongsTo'> & {
  readonly attributes: readonly AttributeDefinition[]
  readonly belongsTo: readonly (readonly [string, string])[]
}

/** Returns a definition as text; equal definitions have equal texts. */
export function writeDefinition(definition: Definition): string {
  const { name, storage, partition, syncType, syncPriority, freezed, fullUpdate, passThrough, schemaVersion } =
    definition
  const stored: DefinitionJson = {
    name,
    storage,
    partition,
    syncType,
    syncPriority,
    freezed,
    fullUpdate,
    passThrough,
    schemaVersion,
    attributes: [...definition.attributes.values()].map(({ check: _, appName: __, column: ___, ...kept }) => kept),
    indexes: definition.indexes.map(({ name, attributes, unique }): IndexDefinition => ({ name, attributes, unique })),
    belongsTo: [...definition.belongsTo].flatMap(([attribute, owners]) =>
      owners.map(owner => [attribute, owner] as const),
    ),
    ...(definition.typed && { typed: true }),
    ...(definition.by && { by: definition.by }),
    ...(definition.textSearch && { textSearch: definition.textSearch }),
  }
  return JSON.stringify(stored)
}

export function readDefinition(text: string): Definition {
  const stored = JSON.parse(text) as DefinitionJson
  return {
    ...stored,
    attributes: new Map(stored.attributes.map(attribute => [attribute.name, attribute])),
    belongsTo: ownersIn(stored),
  }
}

/** Groups the stored pairs of attribute and owner by attribute. */
const ownersIn = ({ belongsTo }: DefinitionJson): Definition['belongsTo'] =>
  new Map(
    [...Map.groupBy(belongsTo, ([attribute]) => attribute)].map(([attribute, pairs]) => [
      attribute,
      pairs.map(([, owner]) => owner),
    ]),
  )
