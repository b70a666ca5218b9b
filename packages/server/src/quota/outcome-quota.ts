import type { Push } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import type { Engine } from '../engine.js'
import { quotaExceeded } from './quota-exceeded.js'

/** Refuses new mutations of a client that leaves too many outcomes unacknowledged: the journal keeps them until then. The journal is asked only where the numbers say that it may be so. */
export async function checkOutcomeQuota(
  engine: Pick<Engine, 'store' | 'limits' | 'metrics'>,
  collection: CollectionId,
  { client, push: { acknowledged, mutations } }: { readonly client: string; readonly push: Push },
): Promise<void> {
  const most = engine.limits.outcomesPerClient
  const newest = mutations.reduce((most, { number }) => Math.max(most, number), 0)
  if (newest - acknowledged <= most) return
  const { last } = await engine.store.journal.outcomes(collection, client, { after: acknowledged, limit: 1 })
  if (last - acknowledged <= most) return
  const message = `${last - acknowledged} outcomes of this client are not acknowledged; ${most} are allowed. Pull, and acknowledge the outcomes of its pages.`
  throw quotaExceeded(engine, { limit: 'outcomesPerClient', message, retryAfter: 1 })
}
