import type { ObjectId } from '../object-map.js'
import { boolean, integer, object, optional, type Schema, string } from '../schema.js'
import { MAX_BLOB_UPLOAD } from './limits.js'
import { parametersTextSchema } from './parameters-schema.js'

/** Uploads a part of a blob: the body contains its bytes, at most 1 MiB. An empty body only requests the state of the upload. */
export interface BlobUpload {
  /** SHA-256 of the whole blob, in 64 lower-case hexadecimal digits: the name of the blob. */
  readonly hash: string
  /** Size of the whole blob, in bytes. */
  readonly size: number
  /** Offset of the body in the blob, in bytes. */
  readonly offset: number
  /** The partition of a source with `by`, as JSON text. */
  readonly parameters?: string
}

/** The state of the upload after the request. A part that does not start at `received` is ignored. */
export interface BlobUploaded {
  /** As in the request. */
  readonly hash: string
  /** As in the request, in bytes. */
  readonly size: number
  /** The number of bytes on the server, counted from the start; continue from this offset. */
  readonly received: number
  /** True if all bytes are on the server and match the hash; mutations may then reference the blob. */
  readonly complete: boolean
}

/** Reads a blob through an object, in a partition of the user, that references it. */
export interface BlobRead {
  /** The id of an object of the source with an attribute whose value is the hash. */
  readonly object: ObjectId
  /** The partition of a source with `by`, as JSON text. */
  readonly parameters?: string
}

export const hashSchema: Schema<string> = string({ pattern: '^[0-9a-f]{64}$' })
const count = integer({ minimum: 0 })

export const blobUploadSchema: Schema<BlobUpload> = object<BlobUpload>({
  hash: hashSchema,
  size: count,
  offset: count,
  parameters: optional(parametersTextSchema),
})

export const blobPartSchema: Schema<Uint8Array> = { type: 'string', format: 'binary', maxLength: MAX_BLOB_UPLOAD }

export const blobUploadedSchema: Schema<BlobUploaded> = object<BlobUploaded>({
  hash: hashSchema,
  size: count,
  received: count,
  complete: boolean,
})

export const blobReadSchema: Schema<BlobRead> = object<BlobRead>({
  object: string({ minLength: 1, maxLength: 1024 }),
  parameters: optional(parametersTextSchema),
})

/** The bytes of a blob or a file. */
export const bytesSchema: Schema<Uint8Array> = { type: 'string', format: 'binary' }
