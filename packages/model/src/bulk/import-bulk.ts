import type { ObjectId } from '@godwit/protocol'
import type { OpenModel } from '../database/open-models.js'
import { highWaterOf, type SourceState } from '../database/source-states.js'
import { parseAttributes } from '../definition/attribute-values.js'
import { invalidValueEvents, objectEvents, type SdkEvent } from '../events/sdk-events.js'
import { ObjectChanges } from '../live/object-changes.js'
import { duplicatesOf, type EachRow, ServerRows } from '../records/store-row.js'
import { restartSource } from '../run/restart-source.js'
import { type IsOver, runInParts } from '../run/run-in-parts.js'
import type { SyncContext } from '../run/sync-context.js'

/** A source in a file, and the token from which pulls continue. */
export interface ImportTarget {
  readonly model: OpenModel
  readonly token: string | null
}

/** `newer`: the device already has its content, or newer. */
export interface ImportResult {
  readonly model: OpenModel
  readonly rows: number
  readonly newer?: true
  /** True if the device has had newer rows, which it has to load again. */
  readonly outdated?: true
}

/** The file's facts about one source. */
interface FileSource {
  readonly number: number
  readonly name: string
  readonly epoch: string
  readonly head: number
  readonly count: number
}

type ImportEngine = Pick<SyncContext, 'database' | 'models' | 'now' | 'watchesObjects' | 'events'>

/** A file of bulk data, and the signal that stops its import. */
export interface ImportedFile {
  readonly file: string
  readonly sources: readonly ImportTarget[]
  /** Stops the import between parts; the next import of the same file continues there. */
  readonly signal: Pick<AbortSignal, 'aborted'>
  /** Objects that earlier pages of the run delivered. Default 0. */
  readonly delivered?: number
}

const FILE = 'bulk'
/** Rows read at once: no other statement can run while one is being read. */
const ROWS_PER_READ = 250

/** RECIPE of a file of bulk data, which is a pass from zero prepared by the server: each source → begin or continue → part after part → end. */
export function importBulk(
  engine: ImportEngine,
  { file, sources, signal, delivered = 0 }: ImportedFile,
): Promise<readonly ImportResult[]> {
  const { database } = engine
  return database.withFile(file, FILE, async () => {
    const text = `SELECT number, name, epoch, head, count FROM ${FILE}.source ORDER BY number`
    const all = database.withStatement(text, facts => facts.all()) as unknown as readonly FileSource[]
    const reader = new RowReader(engine)
    const imported: ImportResult[] = []
    try {
      for (const facts of all) {
        const importing = sources.find(({ model }) => model.name === facts.name)
        if (importing && !signal.aborted)
          imported.push(await importSource(engine, { ...importing, facts, reader, file, signal, delivered }))
      }
      return imported
    } finally {
      if (database.isOpen) reader.free()
    }
  })
}

interface ImportSource extends ImportTarget, Omit<ImportedFile, 'sources'> {
  readonly facts: FileSource
  readonly reader: RowReader
}

async function importSource(engine: ImportEngine, source: ImportSource): Promise<ImportResult> {
  const { model, token, facts, signal, delivered = 0 } = source
  const known = model.state.get()
  const isSame = known.epoch === facts.epoch
  if (isSame && hasAllOf(model, known, { head: facts.head, token })) return { model, rows: 0, newer: true }
  if (isOutdated(model, known, facts)) return { model, rows: 0, newer: true, outdated: true }
  const newer = engine.database.transaction(() => begin(engine, source, known))
  let cumulative = 0
  let isWhole = false
  await runInParts(engine, signal, isOver => {
    const part = importPart(engine, source, newer, isOver)
    cumulative += part?.rows ?? 0
    isWhole = part?.isLast === true
    const { events = [], received = 0 } = part ?? {}
    if (part === undefined || isWhole) return { isLast: true, events }
    // Rows that pages delivered before arrive again, so progress stands still until they are past.
    const counts = {
      page: part.rows,
      received: Math.max(received, delivered),
      total: facts.count,
      cumulative: Math.max(cumulative, delivered),
    }
    return { isLast: false, events: [...events, { kind: 'progress', source: model.name, ...counts }] }
  })
  return { model, rows: isWhole ? facts.count : cumulative }
}

/** The state of an import, beside the position in the file. */
interface ImportProgress {
  /** Rows above this version are newer than the file. */
  readonly head: number
  readonly newer: Set<ObjectId>
  /** Position up to which existing rows were checked for newer ones. Undefined: all. */
  looked: number | undefined
  /** Position up to which existing rows were removed that the file does not have, once all of its rows are read. */
  swept: number | undefined
}

/** Begins the pass that replaces existing rows, unless it has begun. */
function begin({ models }: ImportEngine, { model, facts, file }: ImportSource, known: SourceState): ImportProgress {
  const isSame = known.epoch === facts.epoch
  const isBegun = isSame && known.running && positionIn(known, file) !== undefined
  const state = isBegun ? known : beginPass(model, known, facts)
  if (!isBegun) {
    models.live.touchAll(model.name)
    model.text?.pause()
  }
  model.invalidValues.take()
  const rows = new ServerRows(model, state)
  const progress: ImportProgress = {
    head: Math.max(known.base, facts.head),
    newer: new Set(),
    looked: isSame ? 0 : undefined,
    swept: undefined,
  }
  if (isSame) keepNewer(model, rows, progress)
  const passName = isBegun ? state.passName : nameOf(file, { row: 0, received: 0 })
  model.state.set({ ...state, passName, total: facts.count, checksum: rows.checksum })
  return progress
}

interface ImportPart {
  readonly rows: number
  /** Rows of the file imported so far. */
  readonly received: number
  readonly isLast: boolean
  readonly events: readonly SdkEvent[]
}

/** Imports as many rows as fit into one part, and returns the position. Undefined: the pass was invalidated meanwhile. */
function importPart(
  engine: ImportEngine,
  source: ImportSource,
  progress: ImportProgress,
  isOver: IsOver,
): ImportPart | undefined {
  const { database, models, watchesObjects } = engine
  const { model, facts, file, reader } = source
  const state = model.state.get()
  const from = positionIn(state, file)
  if (from === undefined) return undefined
  const changes = watchesObjects() ? new ObjectChanges() : undefined
  const rows = new ServerRows(model, state, changes)
  const events: SdkEvent[] = []
  let { row } = from
  let count = 0
  let isRead = progress.swept !== undefined
  models.live.touchAll(model.name)
  progress.looked = lookForNewer(model, rows, progress, isOver)
  while (!isRead && progress.looked === undefined && !isOver()) {
    const { rows: part, last, isEnd } = reader.read(facts.number, row)
    const come: EachRow = use => {
      for (const [, object, version, text] of part) use(object, version, parseAttributes(text))
    }
    come((object, version, attributes) => {
      if (!progress.newer.has(object)) rows.put(object, version, attributes)
    })
    const duplicates = duplicatesOf(database, model, come)
    events.push(...duplicates.map(one => ({ kind: 'duplicate', source: model.name, ...one }) as const))
    row = last
    count += part.length
    isRead = isEnd
  }
  const received = from.received + count
  if (isRead) progress.swept = rows.removeOtherPasses(progress.swept, isOver)
  const isLast = isRead && progress.swept === undefined
  const passName = nameOf(file, { row, received })
  const after = isLast ? stateAfterImport(engine, source, state) : { ...state, passName }
  model.state.set({ ...after, checksum: rows.checksum })
  if (changes) events.push(...objectEvents(model.name, changes))
  if (isLast) events.push(...invalidValueEvents(model))
  return { rows: count, received, isLast, events }
}

/** The token is stored with the last row. */
function stateAfterImport(
  { now }: ImportEngine,
  { token, facts: { head } }: ImportSource,
  state: SourceState,
): SourceState {
  const pass = { passName: null, running: false, resync: false, base: head, highest: head, highWater: null }
  return { ...state, ...pass, token, refreshed: now(), mended: 0 }
}

interface ImportPosition {
  /** The last row read from the file. */
  readonly row: number
  /** The number of imported rows of this source. */
  readonly received: number
}

/** The name of the running pass: file and position, so that the import continues after a kill. */
const nameOf = (file: string, { row, received }: ImportPosition): string => `${file} ${row} ${received}`

function positionIn({ passName, running }: SourceState, file: string): ImportPosition | undefined {
  const [name, row, received] = passName?.split(' ') ?? []
  return running && name === file ? { row: Number(row), received: Number(received) } : undefined
}

/**
 * Whether the device has everything in a file, or more. If pulls could not detect that the server's store went back to an older copy, only the same
 * file counts: another one with the same or a lower number belongs to another history.
 */
function hasAllOf(
  model: OpenModel,
  known: SourceState,
  { head, token }: Pick<FileSource, 'head'> & Pick<ImportTarget, 'token'>,
) {
  if (known.token === null || known.base < head) return false
  return !model.isBulkOnly || known.token === token
}

/**
 * Whether the device has had later versions than a file, and has to load all rows again. It may not know which of its rows are newer, so pages deliver
 * them all, and nothing that the app has seen is undone.
 */
function isOutdated({ isBulkOnly }: OpenModel, known: SourceState, { epoch, head }: FileSource): boolean {
  const base = known.epoch === epoch ? known.base : 0
  const highWater = known.highWater?.epoch === epoch ? known.highWater.version : 0
  return !isBulkOnly && head < Math.max(base, highWater)
}

/** Begins the pass that replaces existing rows. */
function beginPass(model: OpenModel, known: SourceState, { epoch }: FileSource): SourceState {
  const isOther = known.epoch !== null && known.epoch !== epoch
  const state = isOther ? restartSource(model, { epoch, client: known.client, sync: known.sync }) : { ...known, epoch }
  // If it is interrupted, a pull starts from zero.
  const highWater = highWaterOf(state)
  return { ...state, token: null, pass: state.pass + 1, running: true, resync: true, base: 0, highest: 0, highWater }
}

/** Keeps rows and removals of outcomes newer than the file, so that they do not disappear until pulls deliver them again. */
function keepNewer({ name, scope, tombstones }: OpenModel, rows: ServerRows, { newer, head }: ImportProgress): void {
  for (const object of tombstones.above(head)) newer.add(object)
  for (const object of scope.serverRows.above(name, head)) keep(rows, newer, object)
}

/** The same for rows without local changes, part by part. */
function lookForNewer(
  { rows: table }: OpenModel,
  rows: ServerRows,
  { newer, head, looked }: ImportProgress,
  isOver: IsOver,
): number | undefined {
  if (looked === undefined) return undefined
  return table.eachRange(looked, isOver, range => {
    for (const object of table.above(head, range)) keep(rows, newer, object)
  })
}

function keep(rows: ServerRows, newer: Set<ObjectId>, object: ObjectId): void {
  rows.keep(object)
  newer.add(object)
}

type FileRow = readonly [row: number, object: ObjectId, version: number, text: string, source: number]

interface FilePart {
  readonly rows: readonly FileRow[]
  /** The last row of the file that was read. */
  readonly last: number
  /** The source has no more rows. */
  readonly isEnd: boolean
}

/** Reads the rows of a file in order. */
class RowReader {
  readonly #read
  /** Rows of a source are contiguous, after those of lower numbers. */
  #last = 0

  constructor({ database }: Pick<ImportEngine, 'database'>) {
    this.#read = database.prepareForeign(
      `SELECT row, id, version, iif(source = ?, attributes, ''), source FROM ${FILE}.object WHERE row > ? ORDER BY row LIMIT ${ROWS_PER_READ}`,
    )
  }

  free(): void {
    this.#read.free()
  }

  /** Returns the next rows of a source, at most one read's worth. */
  read(source: number, after: number): FilePart {
    const read = this.#read.arrays(source, Math.max(after, this.#last)) as unknown as readonly FileRow[]
    const own = read.filter(row => row[4] === source)
    const isEnd = read.length < ROWS_PER_READ || (read.at(-1) as FileRow)[4] > source
    this.#last = read.findLast(row => row[4] <= source)?.[0] ?? Math.max(after, this.#last)
    return { rows: own, last: this.#last, isEnd }
  }
}
