import type { AttributeDefinition, Definition } from '../definition/definition.js'

/**
 * The table of a model in its partition's file:
 * - `seq` INTEGER PRIMARY KEY: order of creation
 * - `object` TEXT UNIQUE: the id
 * - `version` INTEGER: 0 for a row that is not from the server
 * - `pass` INTEGER: the pass that delivered the row
 * - `entry` INTEGER: the outbox entry of the first undecided change
 * - a column per declared attribute, named by `column`, which conditions use
 * - `rest`: other values as the text of a JSON object: undeclared attributes, and declared ones of another type. NULL if there are none.
 */
export interface TableShape {
  readonly definition: Definition
  /** The table's name, quoted, with its schema: `"user"."bag_Product"`. */
  readonly table: string
}

/** Quotes an identifier for SQL. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Returns the quoted column name of an attribute, with a prefix so that an attribute can be named `version`. */
export const column = (attribute: string): string => quote(`a_${attribute}`)

/** The column with, as JSON, attributes without a column and values that do not match their column's type. */
export const REST = '"rest"'

/** Maximum number of columns of a bag, because SQLite limits them. */
const MAX_BAG_COLUMNS = 500

const columnsOf = new WeakMap<Definition, ReadonlyMap<string, AttributeDefinition>>()

/** Returns the attributes that have a column: all of a fixed or typed model, otherwise those that SQLite can name. */
function columnMap(definition: Definition): ReadonlyMap<string, AttributeDefinition> {
  const known = columnsOf.get(definition)
  if (known) return known
  const columns = definition.storage === 'fixed' || definition.typed ? definition.attributes : nameable(definition)
  columnsOf.set(definition, columns)
  return columns
}

/** SQLite ignores the case of column names. */
function nameable({ attributes }: Definition): ReadonlyMap<string, AttributeDefinition> {
  const byName = new Map<string, AttributeDefinition>()
  for (const attribute of attributes.values()) {
    const name = attribute.name.toLowerCase()
    if (!byName.has(name) && !name.includes('\0') && name.isWellFormed()) byName.set(name, attribute)
  }
  return new Map([...byName.values()].slice(0, MAX_BAG_COLUMNS).map(attribute => [attribute.name, attribute]))
}

export const columnAttributes = (definition: Definition): readonly AttributeDefinition[] => [
  ...columnMap(definition).values(),
]

export const hasColumn = (definition: Definition, attribute: string): boolean => columnMap(definition).has(attribute)

/** Returns the columns that hold a row's attributes, in order. */
export const attributeColumns = (definition: Definition): readonly string[] => [
  ...columnAttributes(definition).map(({ name }) => column(name)),
  REST,
]
