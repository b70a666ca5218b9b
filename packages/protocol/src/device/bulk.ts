import { integer, list, mapOf, object, oneOf, optional, type Schema, string } from '../schema.js'
import { hashSchema } from './blobs.js'
import { type SourceError, sourceErrorSchema } from './outcome.js'

/** Which data a device wants as a file. */
export interface BulkRequest {
  /** Whose: `app` for sources that all users share, `user` for those of one's own. */
  readonly partition: 'app' | 'user'
  /** Their names; all of them have this partition. */
  readonly sources: readonly string[]
  /** The `ticket` of the answer `wait` to the same question. The file is then begun after that question, however often its sources change. */
  readonly ticket?: string
}

/** The file, or that it is being made. */
export interface BulkData {
  /** `wait`: it is being made, ask again; `ready`; `nothing`: the sources have no objects. */
  readonly status: 'wait' | 'ready' | 'nothing'
  /** The path of the file, for this session. With `ready`. */
  readonly url?: string
  /** Bytes of the file as it is sent. With `ready`. */
  readonly size?: number
  /** SHA-256 of these bytes, in 64 lower-case hexadecimal digits. With `ready`. */
  readonly sha256?: string
  /** For each source the token that a pull goes on from, once the file is imported. With `ready`. */
  readonly tokens?: { readonly [source: string]: string }
  /** Sent with the next request. With `wait`. */
  readonly ticket?: string
  /** Sources whose first query is still to come: the file has nothing of them, and what a device has of them stays. */
  readonly pending?: readonly string[]
  /** Why the last query of a source failed, until one succeeds. */
  readonly source_errors?: { readonly [source: string]: SourceError }
}

export const bulkRequestSchema: Schema<BulkRequest> = object<BulkRequest>({
  partition: oneOf('app', 'user'),
  sources: list(string({ minLength: 1, maxLength: 128 }), { minItems: 1, maxItems: 100 }),
  ticket: optional(string({ maxLength: 128 })),
})

export const bulkDataSchema: Schema<BulkData> = object<BulkData>({
  status: oneOf('wait', 'ready', 'nothing'),
  url: optional(string()),
  size: optional(integer({ minimum: 0 })),
  sha256: optional(hashSchema),
  tokens: optional(mapOf(string())),
  ticket: optional(string()),
  pending: optional(list(string())),
  source_errors: optional(mapOf(sourceErrorSchema)),
})
