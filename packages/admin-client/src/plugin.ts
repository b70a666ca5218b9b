import { type FastUpdate, type ObjectId, type Routes, routes, type WriteResult } from '@godwit/protocol'
import { type BatchLimits, idBatches, type Many, type Objects, objectBatches } from './batches.js'
import { call } from './call.js'
import type { CallOptions, ServerConnection } from './connection.js'

/** Batch limits and progress of a push. */
export interface PushOptions extends CallOptions {
  /** Called after each request with the number of objects (or ids) sent so far. */
  readonly onProgress?: (sent: number) => void
  readonly batch?: BatchLimits
}

/** Options of pushes that can also verify the document. */
export interface RebuildOptions {
  /** If true, also verifies count and checksum in the background. Default false. */
  readonly rebuildMd?: boolean
}

/** The methods' names: `pushObjects` becomes `push.objects`. */
type MethodNames = {
  [Name in keyof Routes['plugin'] as Name extends `push${infer Rest}` ? Uncapitalize<Rest> : Name]: unknown
}

/**
 * Writes of a backend; `user` is the login of the partition, `*` for app sources. Large pushes are sent in several requests and return the last
 * version and count, with the total `changed`; if one fails, earlier ones are stored, and the push can be repeated.
 */
export const pushOf = (connection: ServerConnection) =>
  ({
    /** Merges attributes into existing objects and creates the others; `null` removes an attribute. */
    objects: (
      source: string,
      user: string,
      objects: Objects,
      { rebuildMd, ...options }: PushOptions & RebuildOptions = {},
    ) =>
      inBatches(objectBatches(objects, options.batch), options, batch =>
        call(connection, routes.plugin.pushObjects, {
          ...sourceParameters(source),
          body: { user_id: user, objects: batch, ...rebuildOption(rebuildMd) },
          ...signalOf(options),
        }),
      ),

    /** Removes objects; unknown ids are not an error. */
    deletes: (
      source: string,
      user: string,
      ids: Many<ObjectId>,
      { rebuildMd, ...options }: PushOptions & RebuildOptions = {},
    ) =>
      inBatches(idBatches(ids, options.batch), options, batch =>
        call(connection, routes.plugin.pushDeletes, {
          ...sourceParameters(source),
          body: { user_id: user, objects: batch, ...rebuildOption(rebuildMd) },
          ...signalOf(options),
        }),
      ),

    /** Adds objects that are new in the backend. */
    fastInsert: (source: string, user: string, objects: Objects, options: PushOptions = {}) =>
      inBatches(objectBatches(objects, options.batch), options, batch =>
        call(connection, routes.plugin.fastInsert, {
          ...sourceParameters(source),
          body: { user_id: user, objects: batch },
          ...signalOf(options),
        }),
      ),

    /** Removes the attributes named in `delete_data`, then merges `data`, in one request, so that devices never see one without the other. */
    fastUpdate: (
      source: string,
      user: string,
      change: Pick<FastUpdate, 'delete_data' | 'data'>,
      options: CallOptions = {},
    ) =>
      call(connection, routes.plugin.fastUpdate, {
        ...sourceParameters(source),
        body: { user_id: user, ...change },
        ...signalOf(options),
      }),

    /** Removes the named attributes; an object without attributes left is removed. */
    fastDelete: (source: string, user: string, objects: Objects, options: PushOptions = {}) =>
      inBatches(objectBatches(objects, options.batch), options, batch =>
        call(connection, routes.plugin.fastDelete, {
          ...sourceParameters(source),
          body: { user_id: user, data: batch },
          ...signalOf(options),
        }),
      ),
  }) satisfies MethodNames

const sourceParameters = (source: string) => ({ parameters: { source_name: source } })
const rebuildOption = (rebuildMd: boolean | undefined) => (rebuildMd === undefined ? {} : { rebuild_md: rebuildMd })
const signalOf = ({ signal }: CallOptions): CallOptions => (signal ? { signal } : {})

/** Sends one request at a time, because the last write of an attribute wins. */
async function inBatches<Batch extends object>(
  batches: AsyncIterable<Batch>,
  { onProgress, signal }: PushOptions,
  write: (batch: Batch) => Promise<WriteResult>,
): Promise<WriteResult> {
  let total: WriteResult = { version: 0, changed: 0, count: 0 }
  let sent = 0
  for await (const batch of batches) {
    signal?.throwIfAborted()
    const written = await write(batch)
    total = { ...written, changed: total.changed + written.changed }
    sent += Object.keys(batch).length
    onProgress?.(sent)
  }
  return total
}
