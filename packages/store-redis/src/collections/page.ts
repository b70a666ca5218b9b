import type { CollectionId, DevicePage, DevicePageOptions } from '@godwit/store'
import type { RedisConnection } from '../connection.js'
import { type OutcomesAnswer, outcomesIn } from '../journal/outcomes.js'
import { pageScript } from '../scripts/page.js'
import { type ChangesAnswer, changesIn, placeOf } from './changes.js'

type PageAnswer = readonly [changes: ChangesAnswer, outcomes: OutcomesAnswer]

export async function page(
  connection: RedisConnection,
  collection: CollectionId,
  { from, limit, client, outcomes: outcomeOptions }: DevicePageOptions,
): Promise<DevicePage | undefined> {
  for (let after = outcomeOptions.after; ; ) {
    const values = [limit, ...placeOf(from), client.toWellFormed(), after, outcomeOptions.limit]
    const answer = await connection.run(pageScript, connection.keys.of(collection), values)
    if (answer === null) return undefined
    const [changes, outcomesAnswer] = answer as unknown as PageAnswer
    const { outcomes, last, reached } = outcomesIn(outcomesAnswer)
    const more = reached !== undefined || outcomes.length === outcomeOptions.limit
    // A step may find no outcomes of this client if they belong to another client of the device, so continue until it finds one or reaches the end.
    if (reached === undefined || outcomes.length > 0)
      return { ...changesIn(changes), outcomePage: { outcomes, last, more } }
    after = reached
  }
}
