import { optionKey } from './option-key.js'

/** A row of any model. */
export interface AnyRow {
  readonly id: string
  readonly [name: string]: unknown
}

/** A typed value over an attribute of a row. */
interface Edit {
  readonly value: unknown
  /** The value of the row when it was edited first. */
  readonly was: unknown
  /** Set once it was written: the row then, which the next version of the row replaces. */
  readonly writtenOver?: AnyRow
}

type EditMap = { readonly [name: string]: Edit }

/** What was typed over a row. */
export interface Edits {
  /** The id under which the row is edited, and its own: they differ after a sync gave it its real one. */
  readonly id: string | undefined
  readonly rowId: string | undefined
  /** The row when it was edited first. */
  readonly base: AnyRow | undefined
  readonly of: EditMap
}

export const NO_EDITS: Edits = { id: undefined, rowId: undefined, base: undefined, of: {} }

export const isSame = (one: unknown, other: unknown): boolean => optionKey(one ?? null) === optionKey(other ?? null)

/** Drops edits that were written and that the row shows by now. */
export const withoutWritten = (edits: Edits, row: AnyRow | undefined): Edits =>
  keep(edits, (name, { value, writtenOver }) => {
    return writtenOver === undefined || (writtenOver === row && !isSame(row[name], value))
  })

/** Adds edits of a row. */
export function withChanges(
  edits: Edits,
  changes: object,
  { id, row }: { id: string; row: AnyRow | undefined },
): Edits {
  const base = edits.base ?? row
  const added = Object.entries(changes).flatMap(([name, value]): [string, Edit][] => {
    if (value === undefined) return []
    const before = edits.of[name]
    return [[name, { value, was: before && !before.writtenOver ? before.was : (row ?? base)?.[name] }]]
  })
  return { id, rowId: row?.id ?? edits.rowId, base, of: { ...edits.of, ...Object.fromEntries(added) } }
}

/** Marks edits as written, except those that were edited again meanwhile. */
export function markWritten(edits: Edits, written: Edits, row: AnyRow): Edits {
  const marked = Object.entries(edits.of).map(([name, edit]): [string, Edit] => [
    name,
    edit === written.of[name] ? { ...edit, writtenOver: row } : edit,
  ])
  return { ...edits, of: Object.fromEntries(marked) }
}

/** Returns the values that differ from the row. */
export const differing = ({ of }: Edits, row: AnyRow | undefined): { readonly [name: string]: unknown } =>
  Object.fromEntries(
    Object.entries(of).flatMap(([name, { value, writtenOver }]) =>
      writtenOver || (row && isSame(row[name], value)) ? [] : [[name, value]],
    ),
  )

/** Returns the names of edited attributes that have another value in the row than when they were edited. */
export const changedSince = (edits: Edits, row: AnyRow | undefined): readonly string[] =>
  row ? Object.keys(differing(edits, row)).filter(name => !isSame(row[name], edits.of[name]?.was)) : []

/** Returns the row with the edits over it. An edited row that was removed stays as it was. */
export function over(row: AnyRow | undefined, { base, of }: Edits): AnyRow | undefined {
  const names = Object.keys(of)
  const stored = row ?? (names.length > 0 ? base : undefined)
  return stored && { ...stored, ...Object.fromEntries(names.map(name => [name, of[name]?.value])) }
}

function keep(edits: Edits, isKept: (name: string, edit: Edit) => boolean): Edits {
  const kept = Object.entries(edits.of).filter(([name, edit]) => isKept(name, edit))
  return kept.length === Object.keys(edits.of).length ? edits : { ...edits, of: Object.fromEntries(kept) }
}
