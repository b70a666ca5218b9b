import type { Mutation } from '@godwit/protocol'
import type { Acceptance, Acceptances } from '../journal.js'

/** Where the journal counts a key. */
export interface KeyPosition {
  readonly client: string
  readonly user: string
  readonly number: number
}

/** What the journal knows when a push comes. */
export interface JournalState {
  /** The collection's epoch; undefined: there is no collection. */
  readonly epoch: string | undefined
  /** What this client acknowledged; 0 of an unknown one. */
  readonly acknowledged: number
  /** Its last outcome's number. */
  readonly outcomes: number
  /** Its highest mutation number. */
  readonly highest: number
  /** The key under a number of this client. */
  readonly keyOf: (number: number) => string | undefined
  readonly placeOf: (key: string) => KeyPosition | undefined
}

/** What to do with one mutation. `known`: it stands there already. `moved`: from another client or number to this one. */
export type Verdict = { readonly verdict: 'new' | 'known' | 'moved'; readonly mutation: Mutation }

/** A verdict for each mutation of a push, or why the push is refused whole. */
export type Verdicts = { readonly verdicts: readonly Verdict[] } | Exclude<Acceptances, { readonly entries: unknown }>

/** What accept says about a push: a verdict on each mutation in the order given, or why none is accepted. */
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

/** How a new mutation begins: one that may have run before is in doubt, unless running it twice does no harm. */
export function firstState(mutation: Mutation, acceptance: Pick<Acceptance, 'idempotent'>): 'queued' | 'in_doubt' {
  return mutation.sent && !acceptance.idempotent ? 'in_doubt' : 'queued'
}
