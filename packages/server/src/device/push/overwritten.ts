import type { Attributes } from '@godwit/protocol'
import type { StartedMutation } from '@godwit/store'
import type { DeviceEngine } from '../device-engine.js'
import type { ConflictDecision } from './find-conflict.js'

/** How many versions back the object's version at the start of the mutation is looked for. */
const LOOKED_BACK = 5

/**
 * Returns what a decided mutation replaces of others. An object that its own client changed last has nothing of others: the device could not have
 * seen what the backend made of its former change.
 */
export async function overwrittenBy(
  { store }: Pick<DeviceEngine, 'store'>,
  decision: ConflictDecision,
  { entry, before }: StartedMutation,
): Promise<Attributes | undefined> {
  const overwrote = 'overwrote' in decision ? decision.overwrote : undefined
  if (overwrote === undefined || before.state !== 'live') return undefined
  const { collection, client, mutation } = entry
  if (mutation.seen !== undefined) return overwrote
  const { versions } = await store.collections.history(collection, mutation.object, { limit: LOOKED_BACK })
  const origin = versions.find(({ version }) => version === before.version)?.origin
  return origin?.kind === 'device' && origin.client === client ? undefined : overwrote
}
