import type { Mutation, ObjectId } from '@godwit/protocol'
import type { JournalEntry, MutationState } from '../journal.js'

/** The create of a temporary id, as recorded in the journal. */
export interface OwnerCreate {
  readonly key: string
  readonly state: MutationState
  readonly outcome?: { readonly status: string; readonly link?: string } | undefined
}

/** The state of an owner. `failed`: refused, or unknown to the journal. */
export type OwnerStanding = 'undecided' | 'decided' | 'failed'

/** Returns the state of an owner by its create; `failed` if there is none. */
export function ownerStanding(create: OwnerCreate | undefined): OwnerStanding {
  if (!create) return 'failed'
  if (create.state !== 'decided') return 'undecided'
  return create.outcome?.status === 'applied' ? 'decided' : 'failed'
}

/** Maps the temporary ids of a mutation's decided owners to their real ids; an unchanged id maps to itself. */
export function decidedOwners(
  mutation: Pick<Mutation, 'owners'>,
  createOf: (temporary: ObjectId) => OwnerCreate | undefined,
): ReadonlyMap<ObjectId, ObjectId> {
  const links = new Map<ObjectId, ObjectId>()
  for (const owner of mutation.owners ?? []) {
    const create = createOf(owner)
    if (ownerStanding(create) === 'decided') links.set(owner, create?.outcome?.link ?? owner)
  }
  return links
}

/** The facts that decide whether a mutation can start. */
export interface StartFacts {
  readonly createOf: (temporary: ObjectId) => OwnerCreate | undefined
  /** True if an earlier mutation of this client for the same object is undecided, or one of any client for it is started. */
  readonly objectIsBusy: boolean
  /** The earliest time of the next start, after a release. */
  readonly retryAt?: number | undefined
  readonly now: number
}

/** Returns the reason for which a mutation cannot start now, or undefined. */
export function obstacle(
  entry: Pick<JournalEntry, 'state' | 'mutation'>,
  facts: StartFacts,
): 'state' | 'owner' | 'held' | undefined {
  if (entry.state !== 'queued') return 'state'
  const standings = (entry.mutation.owners ?? [])
    .map(facts.createOf)
    .filter(create => create?.key !== entry.mutation.key)
    .map(ownerStanding)
  if (standings.includes('failed')) return 'owner'
  const waits = facts.retryAt !== undefined && facts.retryAt > facts.now
  return waits || facts.objectIsBusy || standings.includes('undecided') ? 'held' : undefined
}

/** True if a settlement or release belongs to the last start. One without a fence is for a mutation that is not being called. */
export function mayDecide(
  entry: { readonly state: MutationState; readonly fence: number },
  fence: number | undefined,
): boolean {
  if (entry.state === 'decided') return false
  return fence === undefined ? entry.state !== 'started' : entry.fence === fence && entry.fence > 0
}
