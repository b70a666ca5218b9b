import type { AttributeDefinition, Definition } from '../definition/definition.js'

/**
 * How a model lies in its partition's file:
 * `seq` INTEGER PRIMARY KEY (order of creation), `object` TEXT UNIQUE, `version` INTEGER (0: not from the server), `pass` INTEGER, `entry` INTEGER (the first undecided change),
 * a column per declared attribute, named by `column`: what conditions see,
 * `rest`: as JSON text of an object, what these do not say: undeclared attributes, and declared ones of another type. NULL: nothing.
 */
export interface TableShape {
  readonly definition: Definition
  /** The table's name, quoted, with its schema: `"user"."bag_Product"`. */
  readonly table: string
}

/** An identifier, quoted for SQL. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The column of an attribute, with a prefix so that an attribute may be named `version`. */
export const column = (attribute: string): string => quote(`a_${attribute}`)

/** The column that holds, as JSON, attributes without a column and values that do not fit theirs. */
export const REST = '"rest"'

/** SQLite limits the number of columns. */
const MAX_BAG_COLUMNS = 500

const columnsOf = new WeakMap<Definition, ReadonlyMap<string, AttributeDefinition>>()

/** The attributes that have a column: all of a fixed or typed model, of another bag those that SQLite can name. */
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

/** The columns that hold a row's attributes, in order. */
export const attributeColumns = (definition: Definition): readonly string[] => [
  ...columnAttributes(definition).map(({ name }) => column(name)),
  REST,
]
