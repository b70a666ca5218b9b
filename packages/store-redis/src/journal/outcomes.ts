import type { Outcome } from '@godwit/protocol'
import type { CollectionId, OutcomePage, Outcomes } from '@godwit/store'
import type { RedisConnection } from '../connection.js'
import { outcomesScript } from '../scripts/list-entries.js'
import { type OutcomeFields, outcomeOf } from './entry.js'

/** Steps of one read, of at most 64 KiB and one outcome each: together about `READ_BYTES`. */
const STEPS = 16

/** The reply of `outcomesAfter`. */
export type OutcomesAnswer = readonly [
  last: number,
  reached: number | null,
  given: readonly (readonly [number: number, outcome: OutcomeFields])[],
]

/** The outcomes of one step. `reached`: where the step stopped, if it did not come to the end. */
export interface OutcomesStep extends Omit<Outcomes, 'more'> {
  readonly reached?: number
}

/** Parses the reply of `outcomesAfter`. */
export const outcomesIn = ([last, reached, given]: OutcomesAnswer): OutcomesStep => ({
  outcomes: given.map(([number, outcome]) => outcomeOf(number, outcome)),
  last,
  ...(reached !== null && { reached }),
})

export async function outcomes(
  connection: RedisConnection,
  id: CollectionId,
  client: string,
  { after, limit }: OutcomePage,
): Promise<Outcomes> {
  const outcomes: Outcome[] = []
  for (let from = after, step = 1; ; step++) {
    const values = [client.toWellFormed(), from, limit - outcomes.length]
    const answer = await connection.run(outcomesScript, connection.keys.of(id), values)
    const { outcomes: some, last, reached } = outcomesIn(answer as unknown as OutcomesAnswer)
    outcomes.push(...some)
    const isFull = outcomes.length === limit || (step >= STEPS && outcomes.length > 0)
    if (reached === undefined || isFull) return { outcomes, last, more: reached !== undefined || isFull }
    from = reached
  }
}
