import { ATTRIBUTE_TYPES } from './attribute-types.js'
import type { AttributeDefinition, Definition } from './definition.js'

/** A definition adapted to read the table of a higher schema version. */
export interface OlderReading {
  readonly definition: Definition
  /** True if the table has all parts of the definition. */
  readonly isWritable: boolean
}

/** Adapts an older definition to read a table that was made for `held`. The table does not change. */
export function readByOlder(held: Definition, older: Definition): OlderReading {
  const isWritable = lacksOnlyAdditions(held, older)
  return { definition: reading(held, older, isWritable), isWritable }
}

function lacksOnlyAdditions(held: Definition, older: Definition): boolean {
  const isSameKind =
    held.storage === older.storage &&
    held.partition === older.partition &&
    held.syncType === older.syncType &&
    held.freezed === older.freezed &&
    held.typed === older.typed
  const areHeld = [...older.attributes.values()].every(attribute =>
    isHeld(held.attributes.get(attribute.name), attribute),
  )
  const areOwned = [...older.belongsTo].every(([attribute, owners]) => {
    const known = held.belongsTo.get(attribute) ?? []
    return owners.every(owner => known.includes(owner))
  })
  return isSameKind && areHeld && areOwned
}

const isHeld = (held: AttributeDefinition | undefined, { type, values = [] }: AttributeDefinition): boolean =>
  held?.type === type && values.every(value => held.values?.includes(value))

function reading(held: Definition, older: Definition, isWritable: boolean): Definition {
  const attributes =
    held.typed && older.typed
      ? new Map([...older.attributes].map(([name, one]) => [name, readAs(held.attributes.get(name), one)] as const))
      : older.typed
        ? new Map(
            [...older.attributes].map(([name, one]) => [name, readUntyped(held.attributes.get(name), one)] as const),
          )
        : held.attributes
  const isRead = (name: string) => name === 'object' || (attributes.get(name)?.column ?? 'same') !== 'absent'
  const { textSearch, ...settings } = isWritable ? older : held
  const searched = older.typed ? older.textSearch : textSearch
  const { storage, partition, syncType, freezed, belongsTo } = held
  return {
    ...settings,
    ...{ storage, partition, syncType, freezed, belongsTo, attributes },
    schemaVersion: older.schemaVersion,
    indexes: older.indexes.filter(index => index.attributes.every(isRead)),
    ...((older.typed ?? held.typed) && { typed: true }),
    ...(searched && { textSearch: searched }),
  }
}

function readAs(held: AttributeDefinition | undefined, attribute: AttributeDefinition): AttributeDefinition {
  if (held?.type !== attribute.type) return { ...attribute, column: 'absent' }
  const isWider = held.values?.some(value => !attribute.values?.includes(value)) === true
  return isWider ? { ...attribute, column: 'wider' } : attribute
}

/** Adapts an attribute to the column of an untyped table. Such columns hold values of any type, so only text can be read as a type. */
function readUntyped(held: AttributeDefinition | undefined, attribute: AttributeDefinition): AttributeDefinition {
  const isText = [attribute, held].every(one => one && ATTRIBUTE_TYPES[one.type].isPlainText)
  return isText ? attribute : { ...attribute, column: 'absent' }
}
