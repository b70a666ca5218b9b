import type { Mutation, Outcome, Push, PushOutcomes } from '@godwit/protocol'
import type { FakeCollection } from './collection.js'
import { type DecideContext, decide } from './decide.js'
import type { FakeJournal } from './fake-journal.js'
import { problem } from './fake-problem.js'

/** Accepts a batch, decides its mutations as far as possible, and returns all outcomes that are not acknowledged. */
export function push(deciding: DecideContext, client: string, push: Push): Response {
  const { collection } = deciding
  const journal = collection.journalOf(client)
  const refusal = refusalOf(collection, journal, push)
  if (refusal) return refusal
  journal.acknowledged = push.acknowledged
  for (const mutation of push.mutations) {
    if (journal.mutations.has(mutation.number)) continue
    const entry = { mutation, decided: false }
    journal.mutations.set(mutation.number, entry)
    decide(deciding, journal, entry)
  }
  const answer: PushOutcomes = {
    epoch: collection.epoch,
    outcomes: [
      ...journal.outcomes.filter(({ outcome = 0 }) => outcome > push.acknowledged),
      ...undecidedOf(journal, push.mutations).map(
        ({ number }): Outcome => ({ number, status: 'queued', version: collection.head }),
      ),
    ],
  }
  return Response.json(answer)
}

const undecidedOf = ({ mutations }: FakeJournal, requested: readonly Mutation[]): readonly Mutation[] =>
  requested.filter(({ number }) => !mutations.get(number)?.decided)

/** Returns the error for another epoch, another history of this client, or a missing number; undefined for a valid push. */
function refusalOf({ epoch }: FakeCollection, journal: FakeJournal, push: Push): Response | undefined {
  if (push.epoch !== epoch) return problem(409, 'epoch_changed', { epoch })
  const isOld = push.acknowledged > journal.outcomes.length || push.acknowledged < journal.acknowledged
  if (isOld) return problem(409, 'client_forked')
  let expected = journal.mutations.size + 1
  for (const { number, key } of push.mutations) {
    const known = journal.mutations.get(number)
    if (known && known.mutation.key !== key) return problem(409, 'client_forked', { expected })
    if (!known && number > expected) return problem(409, 'mutation_gap', { expected })
    if (!known) expected++
  }
  return undefined
}
