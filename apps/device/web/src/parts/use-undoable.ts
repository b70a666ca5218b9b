import { useEffect, useRef, useState } from 'react'

/** Milliseconds in which a step can be undone. */
const UNDO_MS = 6_000

/** A step on rows that takes effect only when it can no longer be undone. */
export interface Undoable<Row extends { readonly id: unknown }> {
  /** The ids of rows that the step was done to. */
  readonly hidden: ReadonlySet<unknown>
  /** The row whose step can still be undone. */
  readonly last: Row | undefined
  begin(row: Row): void
  undo(): void
}

/** Hides rows at once and finishes the step later, so that the last one can be undone. */
export function useUndoable<Row extends { readonly id: unknown }>(
  finish: (row: Row) => Promise<unknown>,
): Undoable<Row> {
  const [hidden, setHidden] = useState<ReadonlySet<unknown>>(new Set())
  const [last, setLast] = useState<Row>()
  const isKept = useRef(false)
  const latest = useRef(finish)
  latest.current = finish

  // When the list or page goes away, the step can no longer be undone.
  useEffect(() => {
    if (last === undefined) return
    const end = () => void latest.current(last).catch(() => undefined)
    const timer = setTimeout(() => setLast(undefined), UNDO_MS)
    isKept.current = false
    addEventListener('pagehide', end, { once: true })
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', end)
      if (!isKept.current) end()
    }
  }, [last])

  return {
    hidden,
    last,
    begin(row) {
      setHidden(new Set([...hidden, row.id]))
      setLast(row)
    },
    undo() {
      isKept.current = true
      setHidden(new Set([...hidden].filter(id => id !== last?.id)))
      setLast(undefined)
    },
  }
}
