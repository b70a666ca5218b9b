import type { CollectionId, OutcomePage, Outcomes } from '@godwit/store'
import type { RedisConnection } from '../connection.js'
import { outcomesScript } from '../scripts/list-entries.js'
import { type OutcomeFields, outcomeOf } from './entry.js'

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
  for (let from = after; ; ) {
    const answer = await connection.run(outcomesScript, connection.keys.of(id), [client.toWellFormed(), from, limit])
    const { outcomes, last, reached } = outcomesIn(answer as unknown as OutcomesAnswer)
    // A step may find no outcomes of this client if they belong to another client of the device, so continue until it finds one or reaches the end.
    if (reached === undefined || outcomes.length > 0)
      return { outcomes, last, more: reached !== undefined || outcomes.length === limit }
    from = reached
  }
}
