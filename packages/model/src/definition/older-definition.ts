import { ATTRIBUTE_TYPES } from './attribute-types.js'
import type { AttributeDefinition, Definition } from './definition.js'

/** A definition adapted to read the table of a higher schema version. */
export interface OlderReading {
  readonly definition: Definition
  /** True if the table has all parts of the definition. */
  readonly isWritable: boolean
}

/** Adapts an older definition to read a table that was made for another definition, `table`. The table itself does not change. */
export function readByOlder(table: Definition, older: Definition): OlderReading {
  const isWritable = lacksOnlyAdditions(table, older)
  return { definition: reading(table, older, isWritable), isWritable }
}

function lacksOnlyAdditions(table: Definition, older: Definition): boolean {
  const isSameKind =
    table.storage === older.storage &&
    table.partition === older.partition &&
    table.syncType === older.syncType &&
    table.freezed === older.freezed &&
    table.typed === older.typed
  const haveColumns = [...older.attributes.values()].every(attribute =>
    fitsColumn(table.attributes.get(attribute.name), attribute),
  )
  const areOwned = [...older.belongsTo].every(([attribute, owners]) => {
    const known = table.belongsTo.get(attribute) ?? []
    return owners.every(owner => known.includes(owner))
  })
  return isSameKind && haveColumns && areOwned
}

const fitsColumn = (stored: AttributeDefinition | undefined, { type, values = [] }: AttributeDefinition): boolean =>
  stored?.type === type && values.every(value => stored.values?.includes(value))

function reading(table: Definition, older: Definition, isWritable: boolean): Definition {
  const attributes =
    table.typed && older.typed
      ? new Map([...older.attributes].map(([name, one]) => [name, readAs(table.attributes.get(name), one)] as const))
      : older.typed
        ? new Map(
            [...older.attributes].map(([name, one]) => [name, readUntyped(table.attributes.get(name), one)] as const),
          )
        : table.attributes
  const isRead = (name: string) => name === 'object' || (attributes.get(name)?.column ?? 'same') !== 'absent'
  const { textSearch, ...settings } = isWritable ? older : table
  const searched = older.typed ? older.textSearch : textSearch
  const { storage, partition, syncType, freezed, belongsTo } = table
  return {
    ...settings,
    ...{ storage, partition, syncType, freezed, belongsTo, attributes },
    schemaVersion: older.schemaVersion,
    indexes: older.indexes.filter(index => index.attributes.every(isRead)),
    ...((older.typed ?? table.typed) && { typed: true }),
    ...(searched && { textSearch: searched }),
  }
}

function readAs(stored: AttributeDefinition | undefined, attribute: AttributeDefinition): AttributeDefinition {
  if (stored?.type !== attribute.type) return { ...attribute, column: 'absent' }
  const isWider = stored.values?.some(value => !attribute.values?.includes(value)) === true
  return isWider ? { ...attribute, column: 'wider' } : attribute
}

/** Adapts an attribute to the column of an untyped table. Such columns hold values of any type, so only text can be read as a type. */
function readUntyped(stored: AttributeDefinition | undefined, attribute: AttributeDefinition): AttributeDefinition {
  const isText = [attribute, stored].every(one => one && ATTRIBUTE_TYPES[one.type].isPlainText)
  return isText ? attribute : { ...attribute, column: 'absent' }
}
