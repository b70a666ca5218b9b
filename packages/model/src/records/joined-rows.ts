import type { ObjectId } from '@godwit/protocol'
import { displayedCodec } from '../columns/displayed-codec.js'
import type { SqlValue } from '../platform/driver.js'
import type { Join, Query } from '../query/query-tree.js'
import { blobPathsOf } from './blob-paths.js'
import type { RecordEngine } from './record-engine.js'
import type { RecordRow } from './records.js'
import { displayedRow } from './row.js'

type SqlCells = readonly SqlValue[]

/** Reads one row and advances past its columns, which are in the order of `compileJoins`. */
type RowReader = (row: SqlCells) => RecordRow | undefined

interface Cursor {
  at: number
}

/** Reads rows with their related objects from one statement. */
export function joinedRows(
  engine: RecordEngine,
  { select, with: joins = [] }: Query,
  rows: readonly SqlCells[],
): readonly RecordRow[] {
  const { definition } = engine.model
  const own = displayedCodec(definition, select)
  const cursor = { at: 1 + own.columns.length }
  const readers = joins.map(join => [join.as, readerOf(engine, join, cursor)] as const)
  return rows.map(row => {
    const { object, attributes } = displayedRow(engine, row[0] as ObjectId, own.decode(row, 1))
    return Object.freeze({ object, attributes, related: relatedOf(readers, row) })
  })
}

function readerOf(engine: RecordEngine, join: Join, cursor: Cursor): RowReader {
  const model = engine.models.get(join.model)
  if (!model) return () => undefined
  const codec = displayedCodec(model.definition, join.select)
  const at = cursor.at + 1
  cursor.at = at + 1 + codec.columns.length
  const readers = join.with.map(inner => [inner.as, readerOf(engine, inner, cursor)] as const)
  const blobs = blobPathsOf(model, engine.files)
  return row => {
    if (row[at] === null) return undefined
    const displayed = displayedRow({ blobs }, row[at] as ObjectId, codec.decode(row, at + 1))
    return readers.length === 0 ? displayed : Object.freeze({ ...displayed, related: relatedOf(readers, row) })
  }
}

const relatedOf = (
  readers: readonly (readonly [as: string, read: RowReader])[],
  row: SqlCells,
): NonNullable<RecordRow['related']> => Object.fromEntries(readers.map(([as, read]) => [as, read(row)]))
