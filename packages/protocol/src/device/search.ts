import type { JsonValue, ObjectMap } from '../object-map.js'
import { objectMapSchema } from '../object-map-schema.js'
import { anything, either, integer, list, literal, mapOf, object, optional, type Schema, string } from '../schema.js'
import { MAX_SEARCH_RESULTS } from './limits.js'
import { type SourceError, sourceErrorSchema } from './outcome.js'

/** The search term: text, or named values. The sources define its meaning. */
export type SearchFor = string | { readonly [name: string]: JsonValue }

/** Searches backends for objects that the device does not have. */
export interface Search {
  /** 1 to 100 names of sources. */
  readonly sources: readonly string[]
  readonly search: SearchFor
  /** The number of results to skip for each source. Default 0. */
  readonly offset?: number
  /** Maximum number of results for each source, 1 to 1000. Default 100. */
  readonly max_results?: number
}

/** The result of one source: objects or an error. */
export interface SearchResult {
  readonly objects?: ObjectMap
  /** True if there are further results, which would make the reply too large. Search again with a greater `offset`. Absent: false. */
  readonly more?: true
  readonly error?: SourceError
}

/** Results per source. They are not added to a collection. */
export interface SearchResults {
  /** Results by the name of the source. */
  readonly results: { readonly [source: string]: SearchResult }
}

export const searchSchema: Schema<Search> = object<Search>({
  sources: list(string({ minLength: 1, maxLength: 128 }), { minItems: 1, maxItems: 100 }),
  search: either(string({ maxLength: 4096 }), mapOf(anything)),
  offset: optional(integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  max_results: optional(integer({ minimum: 1, maximum: MAX_SEARCH_RESULTS })),
})

export const searchResultsSchema: Schema<SearchResults> = object<SearchResults>({
  results: mapOf(
    object<SearchResult>({
      objects: optional(objectMapSchema),
      more: optional(literal(true)),
      error: optional(sourceErrorSchema),
    }),
  ),
})
