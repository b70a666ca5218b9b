import type { ObjectId } from '@godwit/protocol'
import { parseAttributes } from '../database/attributes.js'
import type { Model } from '../database/models.js'
import type { SourceState } from '../database/source-states.js'
import { ObjectChanges } from '../live/object-changes.js'
import { standingOf } from '../outbox/standing.js'
import { duplicatesOf, type EachRow, ServerRows } from '../records/store-row.js'
import { changed, misfitting, type SdkEvent } from './events.js'
import { startOver } from './start-over.js'
import { isBulkOnly } from './sync-source.js'
import type { Syncing } from './syncing.js'

/** A source that a file is to bring, and the token that pulls go on from. */
export interface Importing {
  readonly model: Model
  readonly token: string | null
}

/** `newer`: the device has all of it and more. */
export interface Imported {
  readonly model: Model
  readonly rows: number
  readonly newer?: true
  readonly events: readonly SdkEvent[]
}

/** What a file says of one source. */
interface Facts {
  readonly number: number
  readonly name: string
  readonly epoch: string
  readonly head: number
  readonly count: number
}

type ImportEngine = Pick<Syncing, 'database' | 'models' | 'now' | 'watchesObjects'>

const FILE = 'bulk'
/** Rows read at once: other statements cannot run while one is read from. */
const PART = 250

/** A file of bulk data, in one transaction, as the pass from zero that the server made of it. */
export function importBulk(engine: ImportEngine, file: string, sources: readonly Importing[]): readonly Imported[] {
  const { database } = engine
  return database.withFile(file, FILE, () =>
    database.transaction(() => {
      const text = `SELECT number, name, epoch, head, count FROM ${FILE}.source ORDER BY number`
      const facts = database.withStatement(text, all => all.all()) as unknown as readonly Facts[]
      const reader = new Reader(engine)
      try {
        return facts.flatMap(one => {
          const importing = sources.find(({ model }) => model.name === one.name)
          return importing ? [importSource(engine, importing, one, reader)] : []
        })
      } finally {
        reader.free()
      }
    }),
  )
}

function importSource(engine: ImportEngine, { model, token }: Importing, facts: Facts, reader: Reader): Imported {
  const { database, models, now, watchesObjects } = engine
  const known = model.partition.sources.get(model.name)
  const isSame = known.epoch === facts.epoch
  if (isSame && hasAllOf(model, known, { head: facts.head, token })) return { model, rows: 0, newer: true, events: [] }
  const state = begun(model, known, facts)
  models.live.touchAll(model.name)
  model.text?.pause()
  const changes = watchesObjects() ? new ObjectChanges() : undefined
  model.misfits.take()
  const rows = new ServerRows(model, state, changes)
  const newer = isSame ? keepNewer(model, rows, Math.max(known.base, facts.head)) : new Set()
  const events: SdkEvent[] = []
  for (const part of reader.parts(facts.number)) {
    for (const [, object, version, text] of part)
      if (!newer.has(object)) rows.put(object, version, parseAttributes(text))
    const come: EachRow = use => {
      for (const [, object, version, text] of part) use(object, version, parseAttributes(text))
    }
    const duplicates = duplicatesOf(database, model, come)
    events.push(...duplicates.map(one => ({ kind: 'duplicate', source: model.name, ...one }) as const))
  }
  rows.removeOtherPasses()
  const { head, count } = facts
  const over = { running: false, resync: false, base: head, highest: head, total: count, refreshed: now(), mended: 0 }
  model.partition.sources.set(model.name, { ...state, ...over, token, checksum: rows.checksum })
  if (changes) events.push(...changed(model.name, changes))
  events.push(...misfitting(model))
  return { model, rows: count, events }
}

/**
 * Whether the device has what a file brings, and perhaps more. Where no pull would tell that the server's store went back to an older copy, only the
 * file that it has is no news: another one with the same number, or a lower one, is of another past.
 */
function hasAllOf(model: Model, known: SourceState, { head, token }: Pick<Facts, 'head'> & Pick<Importing, 'token'>) {
  if (known.token === null || known.base < head) return false
  return !isBulkOnly(model) || known.token === token
}

/** The pass that replaces what is here. */
function begun(model: Model, known: SourceState, { epoch }: Facts): SourceState {
  const isOther = known.epoch !== null && known.epoch !== epoch
  const state = isOther ? startOver(model, { epoch, client: known.client, sync: known.sync }) : { ...known, epoch }
  return { ...state, passName: null, pass: state.pass + 1, running: true, resync: true, base: 0, highest: 0 }
}

/** What outcomes brought or removed after the file was made stays as it is: nothing flickers back. Pulls bring it again. */
function keepNewer(model: Model, rows: ServerRows, head: number): ReadonlySet<ObjectId> {
  const { name, rows: table, partition } = model
  const newer = new Set<ObjectId>(partition.removed.above(name, head))
  for (const object of [...table.above(head), ...partition.beneath.above(name, head)]) {
    const { beneath } = standingOf(model, object)
    if (beneath) rows.put(object, beneath.version, beneath.attributes)
    newer.add(object)
  }
  return newer
}

type FileRow = readonly [row: number, object: ObjectId, version: number, text: string]

/** The rows of a file, source after source, as they lie there. */
class Reader {
  readonly #read
  #after = 0

  constructor({ database }: ImportEngine) {
    this.#read = database.prepareForeign(
      `SELECT row, id, version, attributes FROM ${FILE}.object WHERE row > ? AND source = ? ORDER BY row LIMIT ${PART}`,
    )
  }

  free(): void {
    this.#read.free()
  }

  *parts(source: number): Generator<readonly FileRow[]> {
    for (;;) {
      const part = this.#read.arrays(this.#after, source) as unknown as readonly FileRow[]
      if (part.length > 0) yield part
      this.#after = part.at(-1)?.[0] ?? this.#after
      if (part.length < PART) return
    }
  }
}
