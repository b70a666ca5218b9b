import { useCallback, useEffect, useRef, useState } from 'react'

/** A part of a list, and where the next begins. */
export interface Part<Row, Position> {
  readonly rows: readonly Row[]
  readonly next?: Position | undefined
}

export interface Pages<Row> {
  readonly rows: readonly Row[]
  readonly busy: boolean
  readonly error: unknown
  /** Loads the next page; undefined at the end. */
  readonly more: (() => void) | undefined
  readonly reload: () => void
}

interface State<Row, Position> {
  readonly rows: readonly Row[]
  readonly next?: Position | undefined
  readonly isEnd: boolean
  readonly busy: boolean
  readonly error?: unknown
}

const EMPTY = { rows: [], isEnd: false, busy: true } as const

/** A list that is loaded page by page while scrolling. Another key starts over. */
export function usePages<Row, Position = string>(
  key: string,
  read: (after: Position | undefined, signal: AbortSignal) => Promise<Part<Row, Position>>,
): Pages<Row> {
  const [state, setState] = useState<State<Row, Position>>(EMPTY)
  const latest = useRef(read)
  latest.current = read
  const running = useRef<AbortController>(undefined)

  const load = useCallback((before: readonly Row[], after: Position | undefined) => {
    running.current?.abort()
    const mine = new AbortController()
    running.current = mine
    setState(({ error: _, ...state }) => ({ ...state, busy: true }))
    latest.current(after, mine.signal).then(
      ({ rows, next }) => {
        if (running.current !== mine) return
        setState({ rows: [...before, ...rows], next, isEnd: next === undefined, busy: false })
      },
      (error: unknown) => {
        if (running.current !== mine || mine.signal.aborted) return
        setState(state => ({ ...state, busy: false, error }))
      },
    )
  }, [])
  const reload = useCallback(() => load([], undefined), [load])

  useEffect(() => {
    setState(EMPTY)
    reload()
    return () => running.current?.abort()
  }, [key, reload])

  const { rows, next, isEnd, busy, error } = state
  const more = useCallback(() => load(rows, next), [load, rows, next])
  return { rows, busy, error, more: isEnd || error !== undefined ? undefined : more, reload }
}
