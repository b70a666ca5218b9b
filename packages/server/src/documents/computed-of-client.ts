import { type Attributes, emptyRecord, type Outcome } from '@godwit/protocol'
import type { Reader } from '@godwit/store'
import type { Engine } from '../engine.js'
import { Prepared, type Streamed, TEXT_TYPE } from '../prepared.js'
import type { ClientPlace } from './client-place.js'
import { objectsOf } from './objects-of.js'

type ComputedEngine = Pick<Engine, 'store'>
type Compute = (engine: ComputedEngine, place: ClientPlace) => Promise<Prepared | Streamed>

const PAGE = 1000

/**
 * What the server knows of a client's copy. It keeps no copy per client: `cd` is the present objects up to the client's last position, which is
 * noted from time to time and so may lag. `links` and `errors` are those of outcomes that the client has not acknowledged.
 */
export const COMPUTED_OF_CLIENT: ReadonlyMap<string, Compute> = new Map<string, Compute>([
  [
    'cd',
    async (engine, place) =>
      objectsOf(engine.store, place.collection, {
        through: await baseOf(engine, place),
        bare: place.source.passThrough,
      }),
  ],
  ['cd_size', async (engine, place) => text(String(await countOf(engine, place)))],
  ['page_token', async (engine, place) => text(positionText(await readerOf(engine, place)))],
  ['links', async (engine, place) => mapped(await outcomesOf(engine, place), linkOf)],
  ['errors', async (engine, place) => mapped(await outcomesOf(engine, place), errorOf)],
])

const text = (content: string): Prepared => new Prepared(content, { type: TEXT_TYPE })

async function readerOf({ store }: ComputedEngine, { collection, client }: ClientPlace): Promise<Reader | undefined> {
  return (await store.collections.readers(collection)).find(({ reader }) => reader === client.id)
}

const baseOf = async (engine: ComputedEngine, place: ClientPlace): Promise<number> =>
  (await readerOf(engine, place))?.base ?? 0

const positionText = (reader: Reader | undefined): string =>
  reader === undefined ? '' : JSON.stringify({ version: reader.base, noted: new Date(reader.at).toISOString() })

async function countOf(engine: ComputedEngine, place: ClientPlace): Promise<number> {
  const { collections } = engine.store
  const base = await baseOf(engine, place)
  const head = await collections.head(place.collection)
  if (head === undefined || head.version <= base) return head?.count ?? 0
  let count = 0
  for (let after: string | undefined; ; ) {
    const rows = await collections.list(place.collection, { after, limit: PAGE })
    for (const { version } of rows) if (version <= base) count++
    after = rows.at(-1)?.id
    if (rows.length < PAGE) return count
  }
}

async function outcomesOf({ store }: ComputedEngine, { collection, client }: ClientPlace): Promise<readonly Outcome[]> {
  const all: Outcome[] = []
  for (let after = 0; ; after = all.at(-1)?.outcome ?? after) {
    const { outcomes } = await store.journal.outcomes(collection, client.id, { after, limit: PAGE })
    all.push(...outcomes)
    if (outcomes.length < PAGE) return all
  }
}

type Entry = readonly [name: string, attributes: Attributes]

function mapped(outcomes: readonly Outcome[], entryOf: (outcome: Outcome) => Entry | undefined): Prepared {
  const entries = emptyRecord<Attributes>()
  for (const outcome of outcomes) {
    const entry = entryOf(outcome)
    if (entry) entries[entry[0]] = entry[1]
  }
  return new Prepared(JSON.stringify(entries))
}

/** Temporary id → the real one. */
const linkOf = ({ object, link }: Outcome): Entry | undefined =>
  object === undefined || link === undefined ? undefined : [object, { id: link }]

/** Number of the mutation → why it was not applied. */
const errorOf = ({ number, status, error }: Outcome): Entry | undefined =>
  error === undefined ? undefined : [String(number), { status, code: error.code, message: error.message }]
