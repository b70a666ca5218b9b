import { type Attributes, emptyRecord, type Outcome } from '@godwit/protocol'
import type { Position } from '@godwit/store'
import { type ConfirmedPosition, confirmedPosition, isConfirmed } from '../../accounts/users/confirmed-positions.js'
import { type StreamReply, TEXT_TYPE, TextReply } from '../../base/text-reply.js'
import type { AdminEngine } from '../admin-engine.js'
import { objectsOf } from './objects-of.js'
import type { ClientCollection } from './resolve-client-collection.js'

type ComputedEngine = Pick<AdminEngine, 'store'>
type ComputeForClient = (engine: ComputedEngine, place: ClientCollection) => Promise<TextReply | StreamReply>

const PAGE = 1000

/**
 * Computed documents about a client's copy. `cd`: the objects that the client has confirmed by its pull token, which may lag; `links` and `errors`:
 * from outcomes that the client has not acknowledged.
 */
export const COMPUTED_OF_CLIENT: ReadonlyMap<string, ComputeForClient> = new Map<string, ComputeForClient>([
  [
    'cd',
    async (engine, place) => {
      const confirmed = await readConfirmed(engine, place)
      const isIncluded = (row: Position): boolean => isConfirmed(confirmed, row)
      return objectsOf(engine.store, place.collection, { isIncluded, bare: place.source.passThrough })
    },
  ],
  ['cd_size', async (engine, place) => textReply(String(await countOf(engine, place)))],
  [
    'page_token',
    async (engine, place) =>
      textReply(positionText(await confirmedPosition(engine.store, place.client, place.collection))),
  ],
  ['links', async (engine, place) => outcomesReply(await outcomesOf(engine, place), linkOf)],
  ['errors', async (engine, place) => outcomesReply(await outcomesOf(engine, place), errorOf)],
])

const textReply = (content: string): TextReply => new TextReply(content, { type: TEXT_TYPE })

const NO_POSITION: ConfirmedPosition = { version: 0, id: '', at: 0 }

const readConfirmed = async (
  { store }: ComputedEngine,
  { client, collection }: ClientCollection,
): Promise<ConfirmedPosition> => (await confirmedPosition(store, client, collection)) ?? NO_POSITION

/** The confirmed position as JSON; '' if there is none. During a pass from zero `version` is 0 and `position` says how far it is. */
function positionText(confirmed: ConfirmedPosition | undefined): string {
  if (confirmed === undefined) return ''
  const { version, id, at } = confirmed
  const recordedAt = new Date(at).toISOString()
  return JSON.stringify(
    id === undefined ? { version, recordedAt } : { version: 0, position: { version, id }, recordedAt },
  )
}

async function countOf(engine: ComputedEngine, place: ClientCollection): Promise<number> {
  const { collections } = engine.store
  const confirmed = await readConfirmed(engine, place)
  const head = await collections.head(place.collection)
  if (head === undefined) return 0
  if (confirmed.id === undefined && head.version <= confirmed.version) return head.count
  let count = 0
  for (let after: string | undefined; ; ) {
    const { rows, more } = await collections.list(place.collection, { after, limit: PAGE })
    for (const row of rows) if (isConfirmed(confirmed, row)) count++
    after = rows.at(-1)?.id
    if (!more) return count
  }
}

async function outcomesOf(
  { store }: ComputedEngine,
  { collection, client }: ClientCollection,
): Promise<readonly Outcome[]> {
  const all: Outcome[] = []
  for (let after = 0; ; after = all.at(-1)?.outcome ?? after) {
    const { outcomes, more } = await store.journal.outcomes(collection, client.id, { after, limit: PAGE })
    all.push(...outcomes)
    if (!more) return all
  }
}

type ObjectEntry = readonly [name: string, attributes: Attributes]

function outcomesReply(
  outcomes: readonly Outcome[],
  entryOf: (outcome: Outcome) => ObjectEntry | undefined,
): TextReply {
  const entries = emptyRecord<Attributes>()
  for (const outcome of outcomes) {
    const entry = entryOf(outcome)
    if (entry) entries[entry[0]] = entry[1]
  }
  return new TextReply(JSON.stringify(entries))
}

/** Temporary id → real id. */
const linkOf = ({ object, link }: Outcome): ObjectEntry | undefined =>
  object === undefined || link === undefined ? undefined : [object, { id: link }]

/** Mutation number → error of a mutation that was not applied. */
const errorOf = ({ number, status, error }: Outcome): ObjectEntry | undefined =>
  error === undefined ? undefined : [String(number), { status, code: error.code, message: error.message }]
