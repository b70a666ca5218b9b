import { idLanes } from '@godwit/protocol'
import type { CollectionId, RefusedWrite, SettledMutation, Settlement, Write } from '@godwit/store'
import { patchText, storedId } from '@godwit/store/history'
import type { RedisConnection } from '../connection.js'
import type { RedisReply } from '../redis-handle.js'
import { type SETTLEMENT, settleScript } from '../scripts/settle.js'
import { BatchedCalls } from './batched-calls.js'
import { type OutcomeFields, outcomeOf } from './entry.js'
import { inTurn, passOn } from './in-turn.js'

type SettleReply = readonly [
  number: number,
  outcome: OutcomeFields,
  version: number,
  spared: number,
  refused: number,
  isAll: number,
  /** 0: no query was requested. */
  queryRequest: number,
]

type SettleArguments = readonly (string | number | boolean | undefined)[] & { readonly length: typeof SETTLEMENT }

/**
 * Writes changes, outcome and dependents in one step. If there are many dependents, the rest follows in further steps, which scripts that read
 * dependents wait for.
 */
export function createSettle(
  connection: RedisConnection,
): (
  collection: CollectionId,
  key: string,
  settlement: Settlement,
) => Promise<SettledMutation | RefusedWrite<'epoch' | 'state'>> {
  const together = new BatchedCalls<SettleArguments, SettledMutation | RefusedWrite<'epoch' | 'state'>>(
    (collection, all) => settleAll(connection, collection, all),
    values => values.reduce<number>((sum, value) => sum + `${value ?? ''}`.length, 0),
  )
  return (collection, key, settlement) => together.ask(collection, settlementArguments(key, settlement))
}

async function settleAll(connection: RedisConnection, collection: CollectionId, all: readonly SettleArguments[]) {
  const answer = await inTurn(connection, collection, settleScript, [connection.randomId(), ...all.flat()])
  const [left, decided] = answer as readonly [number, readonly RedisReply[]]
  return Promise.all(decided.map(one => readSettled(connection, collection, one, left > 0)))
}

async function readSettled(connection: RedisConnection, collection: CollectionId, answer: RedisReply, left: boolean) {
  if (typeof answer === 'string') return { refused: answer as 'epoch' | 'state' }
  const [number, fields, version, spared, refused, isAll, queryRequest] = answer as unknown as SettleReply
  const refusedDependents = isAll === 1 ? refused : refused + (await passOn(connection, collection))
  return {
    ...{ outcome: outcomeOf(number, fields), version, spared, refusedDependents, left },
    ...(queryRequest > 0 && { queryRequest }),
  }
}

function settlementArguments(
  key: string,
  { epoch, fence, status, write, link, error, overwrote, moved, ask }: Settlement,
): SettleArguments {
  const decision = [status, link === undefined ? '' : storedId(link), error && JSON.stringify(error), ask]
  const replaced = overwrote && patchText(overwrote)
  return [
    key.toWellFormed(),
    epoch,
    fence,
    ...decision,
    ...writeArguments(write),
    replaced,
    moved && JSON.stringify(moved),
  ] as unknown as SettleArguments
}

function writeArguments(write: Write | undefined): readonly string[] {
  if (!write) return ['', '', '', '', '']
  const object = storedId(write.object)
  const { high, low } = idLanes(object)
  const change = 'remove' in write ? ['remove', object, ''] : ['set', object, patchText(write.set)]
  return [...change, `${high}`, `${low}`]
}
