import type { Access, KeyIn, LiveRows, NoRelations, RowWith, TypedModel, UpdateAttributes } from '@godwit/model'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import {
  type AnyRow,
  changedSince,
  differing,
  type Edits,
  markWritten,
  NO_EDITS,
  over,
  withChanges,
  withoutWritten,
} from './edits.js'
import { useRow } from './use-row.js'

type FullRow<Name, Ms> = RowWith<Name, Ms, KeyIn<Name, Ms>, NoRelations>

/** A row as a form shows it: the values of the row, or what was typed over them. */
export type DraftRow<Name, Ms, P extends Access = 'here'> = {
  readonly [K in keyof FullRow<Name, Ms>]:
    | FullRow<Name, Ms>[K]
    | (K extends keyof UpdateAttributes<Name, Ms, P> ? Exclude<UpdateAttributes<Name, Ms, P>[K], undefined> : never)
}

/** A form over a live row. */
export interface Draft<Name, Ms, P extends Access = 'here'> {
  /** The row as it is on the device; undefined while loading, if it is not there, or without an id. */
  readonly row: FullRow<Name, Ms> | undefined
  /** The row with the edits over it. What is not edited follows the row; an edited row that was removed stays. */
  readonly draft: DraftRow<Name, Ms, P> | undefined
  /** True if an edit differs from the row. */
  readonly dirty: boolean
  /** The edited attributes that have another value in the row than when they were edited. */
  readonly changedElsewhere: readonly (keyof UpdateAttributes<Name, Ms, P>)[]
  /** Edits attributes without saving them. */
  set(changes: UpdateAttributes<Name, Ms, P>): void
  /** Writes the edits that differ from the row. Resolves with false if the row is gone, and rejects as `update` does; the edits then stay. */
  save(): Promise<boolean>
  /** Drops the edits. */
  reset(): void
  readonly status: LiveRows<unknown>['status']
  readonly error: Error | undefined
}

/** Returns a form over a row, kept up to date. Another id drops the edits, unless it is the real id of the same row. */
export function useDraft<Name, Ms, P extends Access>(
  model: TypedModel<Name, Ms, P>,
  id: string | undefined,
): Draft<Name, Ms, P> {
  const live = useRow(model, id)
  const row = live.row as AnyRow | undefined
  const [all, setEdits] = useState(NO_EDITS)
  const edits = useMemo(() => (isOf(all, id) ? withoutWritten(all, row) : NO_EDITS), [all, id, row])
  const now = useRef({ id, row, edits })
  useLayoutEffect(() => {
    now.current = { id, row, edits }
    if (all === NO_EDITS) return
    if (!isOf(all, id)) setEdits(NO_EDITS)
    else if (all.id !== id || (row && row.id !== all.rowId)) setEdits({ ...all, id, rowId: row?.id ?? all.rowId })
  })
  // Another row of another model may have the same id.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the model is what is watched
  useLayoutEffect(() => () => setEdits(NO_EDITS), [model])

  const set = useCallback((changes: object) => {
    const { id, row, edits } = now.current
    if (id === undefined) return
    now.current.edits = withChanges(edits, changes, { id, row })
    setEdits(now.current.edits)
  }, [])
  const reset = useCallback(() => setEdits(NO_EDITS), [])
  const save = useCallback(async () => {
    const { id, row, edits } = now.current
    const changes = differing(edits, row)
    if (id === undefined || Object.keys(changes).length === 0) return true
    const written = await model.update(id, changes as UpdateAttributes<Name, Ms, P>)
    if (written === undefined || row === undefined) return false
    setEdits(present => markWritten(present, edits, now.current.row ?? row))
    return true
  }, [model])
  const draft = useMemo(() => draftOf(row, edits), [row, edits])
  return { ...live, ...draft, set, save, reset } as Draft<Name, Ms, P>
}

const isOf = (edits: Edits, id: string | undefined): boolean =>
  id !== undefined && (edits.id === id || edits.rowId === id)

const draftOf = (row: AnyRow | undefined, edits: Edits) => ({
  draft: over(row, edits),
  dirty: Object.keys(differing(edits, row)).length > 0,
  changedElsewhere: changedSince(edits, row),
})
