import type { ObjectId } from '../object-map.js'
import { boolean, integer, object, type Schema, string } from '../schema.js'
import { MAX_BLOB_UPLOAD } from './limits.js'

/** A part of a blob on its way to the server: the body is its bytes, at most 1 MiB; none asks where the blob stands. */
export interface BlobUpload {
  /** SHA-256 of the whole blob, in 64 lower-case hexadecimal digits: its name. */
  readonly hash: string
  /** Bytes of the whole blob. */
  readonly size: number
  /** Where the bytes of the body belong. */
  readonly offset: number
}

/** Where the blob stands after that: what did not go on exactly there was not taken. */
export interface BlobUploaded {
  /** As it was announced. */
  readonly hash: string
  /** As it was announced, in bytes. */
  readonly size: number
  /** Bytes that are on the server, from the first on: send on from there. */
  readonly received: number
  /** All bytes are there and have the announced hash: mutations may name it. */
  readonly complete: boolean
}

/** A blob is read through an object of one's own partition that names it. */
export interface BlobRead {
  /** An object of the source with an attribute whose value is the hash. */
  readonly object: ObjectId
}

export const hashSchema: Schema<string> = string({ pattern: '^[0-9a-f]{64}$' })
const count = integer({ minimum: 0 })

export const blobUploadSchema: Schema<BlobUpload> = object<BlobUpload>({ hash: hashSchema, size: count, offset: count })

export const blobPartSchema: Schema<Uint8Array> = { type: 'string', format: 'binary', maxLength: MAX_BLOB_UPLOAD }

export const blobUploadedSchema: Schema<BlobUploaded> = object<BlobUploaded>({
  hash: hashSchema,
  size: count,
  received: count,
  complete: boolean,
})

export const blobReadSchema: Schema<BlobRead> = object<BlobRead>({ object: string({ minLength: 1, maxLength: 1024 }) })

/** The bytes themselves. */
export const bytesSchema: Schema<Uint8Array> = { type: 'string', format: 'binary' }
