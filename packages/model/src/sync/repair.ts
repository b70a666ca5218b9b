import { Checksum, MAX_GET_OBJECTS, type ObjectId, type Versions } from '@godwit/protocol'
import { countedIn, orderOf } from '../copies/copy-rows.js'
import type { IdRange } from '../database/model-rows.js'
import type { OpenModel } from '../database/open-models.js'
import { type RowWriter, rowWriterOf } from '../records/store-row.js'
import { requestIdentity, type SyncContext, type SyncRun } from '../run/sync-context.js'

/** Rows compared per step. */
const ROWS_PER_PART = 5000

/** The result of comparing a page of the server's versions with the device's rows. */
interface VersionDifferences {
  /** Missing on the device, or of another version. */
  readonly wanted: readonly ObjectId[]
  /** Number of rows removed because the server does not have them. */
  readonly removed: number
}

/**
 * RECIPE of a repair: list → compare → fetch differences, page by page; then sum again. The token stays: the next pull delivers later changes, and
 * the versions of unchanged objects are listed. Returns false if the repair was invalidated.
 */
export async function repair(context: SyncContext, model: OpenModel, run: SyncRun): Promise<boolean> {
  const { events, transport } = context
  const limit = context.pageSize()
  const atOnce = Math.min(limit, MAX_GET_OBJECTS)
  const asking = requestIdentity(context, model, run)
  const step = stepsOf(context, model)
  let repaired = 0
  for (let after: ObjectId | undefined = ''; after !== undefined; ) {
    const page: Versions = await transport.versions(
      model.name,
      { ...(after !== '' && { after }), limit, ...inQuery(model) },
      asking,
    )
    const from: ObjectId = after
    const compared: VersionDifferences | undefined = step(page.epoch, rows => compare(model, rows, page, from))
    if (!compared) return false
    repaired += compared.removed
    for (let left = compared.wanted; left.length > 0; ) {
      const ids = left.slice(0, atOnce)
      const {
        epoch,
        objects,
        versions,
        rest = [],
      } = await transport.objects(model.name, { ids, ...inBody(model) }, asking)
      // A server that reads none of them does not get requests forever.
      left = [...(rest.length < ids.length ? rest : []), ...left.slice(atOnce)]
      const got = Object.keys(objects)
      const isPut = step(epoch, rows => {
        for (const object of got) rows.put(object, versions[object] ?? 0, objects[object] ?? {})
        return true
      })
      if (!isPut) return false
      repaired += got.length
    }
    after = page.next
  }
  if (!step(model.state.get().epoch, () => recomputeChecksum(model))) return false
  events.emit({ kind: 'repaired', source: model.name, rows: repaired })
  return true
}

/** Runs each step in one transaction; returns undefined if a reset, another user or another epoch invalidated it. */
function stepsOf({ database }: SyncContext, model: OpenModel) {
  const begun = model.state.get()
  return <T>(epoch: string | null, run: (rows: RowWriter) => T): T | undefined =>
    database.transaction(() => {
      const state = model.state.get()
      if (state.sync !== begun.sync || epoch !== begun.epoch) return undefined
      return run(rowWriterOf(model, state, { isRepair: true }))
    })
}

/** Removes rows between `after` and the end of the page that are not listed, and returns those to fetch. */
function compare(model: OpenModel, rows: RowWriter, { versions, next }: Versions, after: ObjectId): VersionDifferences {
  const wanted = new Map(Object.entries(versions))
  let removed = 0
  for (const [object, version] of ofServer(model, after, next ?? null)) {
    const there = wanted.get(object)
    if (there === version) wanted.delete(object)
    if (there !== undefined) continue
    rows.removeStranger(object, version)
    removed++
  }
  return { wanted: [...wanted.keys()], removed }
}

/** The rows that count: the displayed ones, then the server's rows under undecided changes, each in order of id. */
function* ofServer(model: OpenModel, after: ObjectId, through: ObjectId | null) {
  const { rows, scope, name, copy } = model
  if (copy) {
    yield* countedIn({ ...model, copy }).filter(
      ([object]) => orderOf(object, after) > 0 && (through === null || orderOf(object, through) <= 0),
    )
    return
  }
  yield* inParts({ after, through }, range => rows.ofServer(range))
  yield* inParts({ after, through }, range => scope.serverRows.ofServer(name, range))
}

/** A partition of a source with `by` is named in each request. */
const inBody = ({ copy }: OpenModel) => copy && { parameters: copy.parameters }
const inQuery = ({ copy }: OpenModel) => copy && { parameters: JSON.stringify(copy.parameters) }

function* inParts<Row extends readonly [object: ObjectId, version: number]>(
  { after, through }: Omit<IdRange, 'limit'>,
  read: (range: IdRange) => readonly Row[],
): Generator<Row> {
  for (let from: ObjectId | undefined = after; from !== undefined; ) {
    const part = read({ after: from, through, limit: ROWS_PER_PART })
    yield* part
    from = part.length < ROWS_PER_PART ? undefined : part.at(-1)?.[0]
  }
}

/** Recomputes the checksum from the rows. */
function recomputeChecksum(model: OpenModel): true {
  const sum = new Checksum()
  for (const [object, version] of ofServer(model, '', null)) sum.add(object, version)
  model.state.change({ checksum: sum.toString(), mended: model.state.get().mended + 1 })
  return true
}
