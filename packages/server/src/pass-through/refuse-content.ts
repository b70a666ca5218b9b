import { SyncError } from '@godwit/protocol'
import type { Source } from '../sources/source.js'

/** Throws where a backend or an operator hands over objects of a source of which nothing may be kept. */
export function refuseContent({ name, passThrough }: Pick<Source, 'name' | 'passThrough'>): void {
  if (!passThrough) return
  const hint = 'its objects are fetched from its query when a device gets them. Ping the devices instead.'
  throw new SyncError('value_not_allowed', `${name} is pass_through, and nothing of it is kept here: ${hint}`)
}

/** Throws where a device sends a file: it would be kept until it is handed over. */
export function refuseBlob({ name, passThrough }: Pick<Source, 'name' | 'passThrough'>): void {
  if (!passThrough) return
  throw new SyncError(
    'value_not_allowed',
    `${name} is pass_through: no blobs are kept for it. Send small ones as attributes.`,
  )
}

/** Throws where a device wants nothing to be kept of a source of which everything is. */
export function checkPassThroughOption(
  { name, passThrough }: Pick<Source, 'name' | 'passThrough'>,
  asked: boolean,
): void {
  if (passThrough || !asked) return
  const hint = 'Set passThrough: true on the source, or take pass_through from the model.'
  throw new SyncError(
    'value_not_allowed',
    `The model is pass_through, and the source ${name} keeps its objects. ${hint}`,
  )
}
