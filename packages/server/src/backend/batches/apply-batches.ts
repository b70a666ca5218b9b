import { SyncError, type WriteResult } from '@godwit/protocol'
import type { Batch, CollectionId, WriterOrigin } from '@godwit/store'
import type { BackendEngine } from '../backend-engine.js'

/** Batches of one write, in the order in which they are applied. */
export interface BatchesToApply {
  readonly batches: Iterable<Batch> | AsyncIterable<Batch>
  /** The writer, for the change log. */
  readonly origin?: WriterOrigin | undefined
}

/** Applies batches one after another in one epoch, and notifies connected devices if something changed. */
export async function applyBatches(
  engine: Pick<BackendEngine, 'store' | 'changes' | 'reporter'>,
  collection: CollectionId,
  { batches, origin }: BatchesToApply,
): Promise<WriteResult> {
  const { collections } = engine.store
  let epoch: string | undefined
  let last: { readonly version: number; readonly count: number } | undefined
  let changed = 0
  try {
    for await (const batch of batches) {
      const applied = await collections.apply(collection, batch, { origin, ...(epoch !== undefined && { epoch }) })
      if ('refused' in applied) throw collectionDroppedError(collection)
      changed += applied.changed
      epoch = applied.epoch
      last = applied
    }
  } finally {
    if (changed > 0) engine.changes.announce(collection)
  }
  if (changed > 0)
    engine.reporter.report({ kind: 'objects_written', ...collection, version: last?.version ?? 0, changed })
  const { version, count } = last ?? (await collections.head(collection)) ?? { version: 0, count: 0 }
  return { version, changed, count }
}

const collectionDroppedError = ({ source }: CollectionId): SyncError =>
  new SyncError(
    'epoch_changed',
    `The objects of ${source} were dropped while these were written. Send all of them again.`,
  )
