import type { ObjectMap } from '../object-map.js'
import { objectMapSchema } from '../object-map-schema.js'
import { boolean, either, mapOf, object, optional, type Schema, string } from '../schema.js'

/** The content of a document: text (on the wire `text/plain`) or an object map. */
export type DocumentContent = string | ObjectMap

/** Writes a document. */
export interface DocumentWrite {
  /** Text, or objects. An attribute that is null counts as absent: it is not stored, and with `append` it removes the stored one. */
  readonly data: DocumentContent
  /**
   * If true, text is concatenated and objects are merged attribute by attribute; the document must be of the same kind. Default false: replaces the
   * document.
   */
  readonly append?: boolean
}

/** Document names with their REST paths. */
export interface DocumentNames {
  readonly [name: string]: string
}

export const documentContentSchema: Schema<DocumentContent> = either(string(), objectMapSchema)
export const documentWriteSchema: Schema<DocumentWrite> = object<DocumentWrite>({
  data: documentContentSchema,
  append: optional(boolean),
})
export const documentNamesSchema: Schema<DocumentNames> = mapOf(string())
