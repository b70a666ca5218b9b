import { idLanes } from '@godwit/protocol'
import type { CollectionId, Refused, Settled, Settlement, Write } from '@godwit/store'
import { patchText, storedId } from '@godwit/store/history'
import type { Connection } from '../connection.js'
import { settleScript } from '../scripts/settle.js'
import { type OutcomeFields, outcomeOf } from './entry.js'
import { inTurn, passOn } from './in-turn.js'

type Answer = readonly [
  number: number,
  outcome: OutcomeFields,
  version: number,
  spared: number,
  refused: number,
  isAll: number,
]

/** changes → outcome → dependents: in one step, where those are few. Else the rest follows, and whatever would notice them waits for it. */
export async function settle(
  connection: Connection,
  collection: CollectionId,
  key: string,
  { epoch, fence, status, write, link, error, ask }: Settlement,
): Promise<Settled | Refused<'epoch' | 'state'>> {
  const decision = [status, link === undefined ? '' : storedId(link), error && JSON.stringify(error), ask]
  const values = [key.toWellFormed(), epoch, fence, ...decision, ...writeArguments(write), connection.randomId()]
  const answer = await inTurn(connection, collection, settleScript, values)
  if (typeof answer === 'string') return { refused: answer as 'epoch' | 'state' }
  const [number, fields, version, spared, refused, isAll] = answer as unknown as Answer
  const refusedDependents = isAll === 1 ? refused : refused + (await passOn(connection, collection))
  return { outcome: outcomeOf(number, fields), version, spared, refusedDependents }
}

function writeArguments(write: Write | undefined): readonly string[] {
  if (!write) return ['', '', '', '', '']
  const object = storedId(write.object)
  const { high, low } = idLanes(object)
  const change = 'remove' in write ? ['remove', object, ''] : ['set', object, patchText(write.set)]
  return [...change, `${high}`, `${low}`]
}
