import { messageOf } from '@godwit/source'
import type { BackendEngine } from '../backend-engine.js'
import { announceChange } from '../sources/channels.js'
import { applyReported, sinceSettled } from './apply-reported.js'
import { getObjects, type ReadTarget } from './get-objects.js'

/**
 * Reads some objects of a partition again, since what the store has of them may be old: by `get` where the source has it. If that does not succeed, the
 * whole partition is due.
 */
export async function readAgain(engine: BackendEngine, target: ReadTarget, ids: readonly string[]): Promise<void> {
  const { collection, source } = target
  const isRead = await readByGet(engine, target, ids).catch(error => {
    engine.log.warn({ source: source.name, error: messageOf(error) }, 'objects could not be read again')
    return false
  })
  if (!isRead) await engine.store.collections.requestQuery(collection)
}

async function readByGet(engine: BackendEngine, target: ReadTarget, ids: readonly string[]): Promise<boolean> {
  const { collection } = target
  const head = await engine.store.collections.head(collection)
  if (head === undefined || target.source.methods.get === undefined) return false
  const since = await sinceSettled(engine, target, head.version)
  const found = await getObjects(engine, target, ids)
  if (found === undefined) return false
  const applied = await applyReported(engine, { ...target, epoch: head.epoch, reader: 'get', fence: 0, since }, found)
  if ('refused' in applied || applied.spared.length > 0) return false
  if (applied.changed > 0) await announceChange(engine.store, collection)
  return true
}
