import { SyncError } from '@godwit/protocol'
import type { Source } from '@godwit/source'

/** Throws if a backend or an operator writes objects of a pass-through source, whose content must not be stored. */
export function refuseContent({ name, passThrough }: Pick<Source, 'name' | 'passThrough'>): void {
  if (!passThrough) return
  const hint = 'its objects are fetched from its query when a device gets them. Ping the devices instead.'
  throw new SyncError('value_not_allowed', `${name} is pass_through, and nothing of it is kept here: ${hint}`)
}

/** Throws if a device uploads a blob to a pass-through source, since it would be stored until it is delivered. */
export function refuseBlob({ name, passThrough }: Pick<Source, 'name' | 'passThrough'>): void {
  if (!passThrough) return
  throw new SyncError(
    'value_not_allowed',
    `${name} is pass_through: no blobs are kept for it. Send small ones as attributes.`,
  )
}

/** Throws if a device requests pass-through for a source whose content is stored. */
export function checkPassThroughOption(
  { name, passThrough }: Pick<Source, 'name' | 'passThrough'>,
  isRequested: boolean,
): void {
  if (passThrough || !isRequested) return
  const hint = 'Set passThrough: true on the source, or take pass_through from the model.'
  throw new SyncError(
    'value_not_allowed',
    `The model is pass_through, and the source ${name} keeps its objects. ${hint}`,
  )
}
