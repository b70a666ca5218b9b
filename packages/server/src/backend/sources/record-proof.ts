import { SyncError } from '@godwit/protocol'
import type { ReadContext, Source } from '@godwit/source'
import type { BaseEngine } from '../../base/base-engine.js'

/** The prefix of the members of a feed's record that are proofs. */
export const PROOF = 'proof:'
const MAX_PROOF = 1024

/** The id of the record of a feed. Sources that share a feed share its name. */
export const feedRecord = (feedName: string): string => `feed:${feedName}`

/** Returns the `recordProof` of a context, which stores proofs for the source's feed before what was read is applied. */
export const proofRecorder =
  ({ store, randomId }: Pick<BaseEngine, 'store' | 'randomId'>, { name, feed }: Source): ReadContext['recordProof'] =>
  async proof => {
    if (feed === undefined) return
    if (typeof proof !== 'string' || proof === '' || proof.length > MAX_PROOF)
      throw new SyncError('backend_failed', `expected a proof of 1 to ${MAX_PROOF} characters, got another value.`)
    const id = feedRecord(feed.name ?? name)
    const value = { [`${PROOF}${randomId()}`]: proof }
    if (await store.registry.merge('server', id, value)) return
    // Another process may create it at the same time.
    if (!(await store.registry.create('server', { id, value }))) await store.registry.merge('server', id, value)
  }
