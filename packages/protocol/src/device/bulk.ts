import { integer, list, mapOf, object, oneOf, optional, type Schema, string } from '../schema.js'
import { hashSchema } from './blobs.js'
import { type SourceError, sourceErrorSchema } from './outcome.js'
import type { PartitionParameters } from './parameters.js'
import { parametersSchema } from './parameters-schema.js'

/** Requests the data of sources as a file. */
export interface BulkRequest {
  /** `app` for sources that all users share, `user` for sources with one partition for each user, `by` for one partition of sources with `by`. */
  readonly partition_type: 'app' | 'user' | 'by'
  /** The names of the sources; all have this partition type. */
  readonly sources: readonly string[]
  /** The partition. Only with `by`. */
  readonly parameters?: PartitionParameters
  /** The `ticket` from the last `wait` response. A file begun after the first request is then served even if its sources have changed since. */
  readonly ticket?: string
}

/** A bulk file, or the state of its creation. */
export interface BulkData {
  /** `wait`: the file is being created, repeat the request; `ready`: the file is available; `nothing`: the sources have no objects. */
  readonly status: 'wait' | 'ready' | 'nothing'
  /** The path of the file, valid for this session. Only with `ready`. */
  readonly url?: string
  /** Size of the compressed file, in bytes. Only with `ready`. */
  readonly size?: number
  /** SHA-256 of the compressed file, in 64 lower-case hexadecimal digits. Only with `ready`. */
  readonly sha256?: string
  /** Per source, the token for the first pull after the file was imported. Only with `ready`. */
  readonly tokens?: { readonly [source: string]: string }
  /** Send it with the next request. Only with `wait`. */
  readonly ticket?: string
  /** Sources that were never queried: the file has none of their objects, and the device keeps its own. */
  readonly pending?: readonly string[]
  /** Per source, why its last query failed; present until a query succeeds. */
  readonly source_errors?: { readonly [source: string]: SourceError }
}

export const bulkRequestSchema: Schema<BulkRequest> = object<BulkRequest>({
  partition_type: oneOf('app', 'user', 'by'),
  sources: list(string({ minLength: 1, maxLength: 128 }), { minItems: 1, maxItems: 100 }),
  parameters: optional(parametersSchema),
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
