import { type FastUpdate, type ObjectId, type Routes, routes, type WriteResult } from '@godwit/protocol'
import { type BatchLimits, idBatches, type Many, type Objects, objectBatches } from './batches.js'
import { call } from './call.js'
import type { CallOptions, ServerConnection } from './connection.js'

/** How objects or ids are split into requests, and who hears of the progress. */
export interface PushOptions extends CallOptions {
  /** After each request: how many objects (or ids) were sent so far. */
  readonly onProgress?: (sent: number) => void
  readonly batch?: BatchLimits
}

/** Whether a push also checks the document that it wrote to. */
export interface RebuildOptions {
  /** True also verifies count and checksum in the background. */
  readonly rebuildMd?: boolean
}

/** `pushObjects` is `push.objects` here. */
type MethodNames = {
  [Name in keyof Routes['plugin'] as Name extends `push${infer Rest}` ? Uncapitalize<Rest> : Name]: unknown
}

/**
 * What a backend writes; `user` is the login whose partition it is, `*` for app sources. What does not fit into one request goes in several, and answers
 * version and count after the last, with `changed` of all: if one fails, those before it are stored, and all of it can be pushed again.
 */
export const pushOf = (connection: ServerConnection) =>
  ({
    /** Merges attributes into objects that exist and creates the others; `null` removes an attribute. */
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

    /** Removes objects; unknown ids are no error. */
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

    /** Adds objects that the caller knows to be new. */
    fastInsert: (source: string, user: string, objects: Objects, options: PushOptions = {}) =>
      inBatches(objectBatches(objects, options.batch), options, batch =>
        call(connection, routes.plugin.fastInsert, {
          ...sourceParameters(source),
          body: { user_id: user, objects: batch },
          ...signalOf(options),
        }),
      ),

    /** Removes the attributes named in `delete_data`, then merges `data`; one request, so that no device sees one without the other. */
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

    /** Removes the attributes named; an object whose last attribute goes is gone. */
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

/** One request at a time: order decides which of two values of an attribute stands. */
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
