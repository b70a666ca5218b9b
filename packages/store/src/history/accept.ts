import type { Mutation } from '@godwit/protocol'
import type { Acceptance, Acceptances } from '../journal.js'

/** The client, user and number of a key. */
export interface KeyPosition {
  readonly client: string
  readonly user: string
  readonly number: number
}

/** The journal's facts about the client of a push. */
export interface JournalState {
  /** The collection's epoch; undefined if there is no collection. */
  readonly epoch: string | undefined
  /** The last outcome that this client acknowledged; 0 for an unknown client. */
  readonly acknowledged: number
  /** The number of its last outcome. */
  readonly outcomes: number
  /** Its highest mutation number. */
  readonly highest: number
  /** Returns the key of a number of this client. */
  readonly keyOf: (number: number) => string | undefined
  readonly placeOf: (key: string) => KeyPosition | undefined
}

/**
 * The verdict on one mutation. `known`: already in the journal under this client and number. `moved`: to be moved here from another client or number.
 */
export type Verdict = { readonly verdict: 'new' | 'known' | 'moved'; readonly mutation: Mutation }

/** A verdict for each mutation of a push, or the reason to refuse the push as a whole. */
export type Verdicts = { readonly verdicts: readonly Verdict[] } | Exclude<Acceptances, { readonly entries: unknown }>

/** Checks a push. Returns a verdict on each mutation in order, or the reason to refuse all. */
export function judgeAcceptance(acceptance: Acceptance, known: JournalState): Verdicts {
  if (acceptance.epoch !== known.epoch) return { refused: 'epoch', epoch: known.epoch ?? '' }
  if (acceptance.acknowledged < known.acknowledged || acceptance.acknowledged > known.outcomes)
    return { refused: 'forked' }
  const verdicts: Verdict[] = []
  const keys = new Map<number, string>()
  const places = new Map<string, KeyPosition>()
  let highest = known.highest
  for (const mutation of acceptance.mutations) {
    const { number, key } = mutation
    const place = places.get(key) ?? known.placeOf(key)
    const present = keys.get(number) ?? (number > known.highest ? undefined : known.keyOf(number))
    if ((present !== undefined && present !== key) || (place && place.user !== acceptance.user))
      return { refused: 'forked' }
    if (present === undefined && number !== highest + 1) return { refused: 'gap', expected: highest + 1 }
    highest = Math.max(highest, number)
    verdicts.push({ verdict: verdictOn(place, acceptance.client, number), mutation })
    keys.set(number, key)
    places.set(key, { client: acceptance.client, user: acceptance.user, number })
  }
  return { verdicts }
}

function verdictOn(place: KeyPosition | undefined, client: string, number: number): Verdict['verdict'] {
  if (!place) return 'new'
  return place.client === client && place.number === number ? 'known' : 'moved'
}

/** The first state of a new mutation. One that may have run before is in doubt, unless its source is idempotent. */
export function firstState(mutation: Mutation, acceptance: Pick<Acceptance, 'idempotent'>): 'queued' | 'in_doubt' {
  return mutation.sent && !acceptance.idempotent ? 'in_doubt' : 'queued'
}
