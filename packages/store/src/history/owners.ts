import type { Mutation, ObjectId } from '@godwit/protocol'
import type { JournalEntry, MutationState } from '../journal.js'

/** The create behind a temporary id, as far as the journal knows it. */
export interface OwnerCreate {
  readonly key: string
  readonly state: MutationState
  readonly outcome?: { readonly status: string; readonly link?: string } | undefined
}

/** How an owner stands. `failed`: refused, or unknown to the journal. */
export type OwnerStanding = 'undecided' | 'decided' | 'failed'

/** Returns whether the create of an owner is decided; `failed` also where no journal knows it. */
export function ownerStanding(create: OwnerCreate | undefined): OwnerStanding {
  if (!create) return 'failed'
  if (create.state !== 'decided') return 'undecided'
  return create.outcome?.status === 'applied' ? 'decided' : 'failed'
}

/** Temporary id → real id of those owners of a mutation that are decided by now; one that stayed maps to itself. */
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

/** What stands against a start. */
export interface StartFacts {
  readonly createOf: (temporary: ObjectId) => OwnerCreate | undefined
  /** An earlier mutation of this client for the same object is undecided, or one of any client for it is started. */
  readonly objectIsBusy: boolean
  /** When it may be started again, if it was given up before. */
  readonly retryAt?: number | undefined
  readonly now: number
}

/** Why a mutation cannot be started now, or undefined. */
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

/** Returns whether a settlement or release belongs to the last start. Without a fence it states that no call is under way. */
export function mayDecide(
  entry: { readonly state: MutationState; readonly fence: number },
  fence: number | undefined,
): boolean {
  if (entry.state === 'decided') return false
  return fence === undefined ? entry.state !== 'started' : entry.fence === fence && entry.fence > 0
}
