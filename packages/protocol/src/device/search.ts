import type { JsonValue, ObjectMap } from '../object-map.js'
import { objectMapSchema } from '../object-map-schema.js'
import { anything, either, integer, list, mapOf, object, optional, type Schema, string } from '../schema.js'
import { MAX_SEARCH_RESULTS } from './limits.js'
import { type SourceError, sourceErrorSchema } from './outcome.js'

/** What is searched for: a text, or named values; the sources know what they mean. */
export type SearchFor = string | { readonly [name: string]: JsonValue }

/** Asks backends for objects that the device does not have. */
export interface Search {
  /** 1 to 100 names. */
  readonly sources: readonly string[]
  readonly search: SearchFor
  /** How many results of each source to leave out. Default 0. */
  readonly offset?: number
  /** How many of each source at most: 1 to 1000. Default 100. */
  readonly max_results?: number
}

/** What one source found, or why it did not. */
export interface SearchResult {
  readonly objects?: ObjectMap
  readonly error?: SourceError
}

/** One result for each source that was asked. Nothing of it enters a collection. */
export interface SearchResults {
  /** Name of the source → what it found. */
  readonly results: { readonly [source: string]: SearchResult }
}

export const searchSchema: Schema<Search> = object<Search>({
  sources: list(string({ minLength: 1, maxLength: 128 }), { minItems: 1, maxItems: 100 }),
  search: either(string({ maxLength: 4096 }), mapOf(anything)),
  offset: optional(integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  max_results: optional(integer({ minimum: 1, maximum: MAX_SEARCH_RESULTS })),
})

export const searchResultsSchema: Schema<SearchResults> = object<SearchResults>({
  results: mapOf(object<SearchResult>({ objects: optional(objectMapSchema), error: optional(sourceErrorSchema) })),
})
