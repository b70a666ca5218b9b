import type { Definition } from '../definition/definition.js'

/**
 * How a model lies in its partition's file. Both kinds have the columns
 * `seq` INTEGER PRIMARY KEY (order of creation), `object` TEXT UNIQUE, `version` INTEGER (0: not from the server), `pass` INTEGER.
 * A bag adds `attributes` (JSON text of an object); a fixed table one column per declared attribute, named by `column`.
 */
export interface TableShape {
  readonly definition: Definition
  /** Quoted, with its schema: `"user"."bag_Product"`. */
  readonly table: string
}

/** An identifier, quoted for SQL. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The column of a fixed table that holds an attribute; prefixed, so that an attribute may be called `version`. */
export const column = (attribute: string): string => quote(`a_${attribute}`)
