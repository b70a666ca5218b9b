import { useCallback, useEffect, useRef, useState } from 'react'
import { cache } from './use-query.js'

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

/** The first page as it was when the list was shown last: it stands until it is read again, and when that fails. */
function opening<Row, Position>(key: string): State<Row, Position> {
  const rows = cache.read<readonly Row[]>(`list ${key}`).data
  return rows ? { ...EMPTY, rows } : EMPTY
}

/** A list that is loaded page by page while scrolling. The key names it in the whole console; another one starts over. */
export function usePages<Row, Position = string>(
  key: string,
  read: (after: Position | undefined, signal: AbortSignal) => Promise<Part<Row, Position>>,
): Pages<Row> {
  const [state, setState] = useState<State<Row, Position>>(() => opening(key))
  const latest = useRef(read)
  latest.current = read
  const running = useRef<AbortController>(undefined)

  const load = useCallback(
    (before: readonly Row[], after: Position | undefined) => {
      running.current?.abort()
      const mine = new AbortController()
      running.current = mine
      setState(({ error: _, ...state }) => ({ ...state, busy: true }))
      latest.current(after, mine.signal).then(
        ({ rows, next }) => {
          if (running.current !== mine) return
          if (after === undefined) cache.keep(`list ${key}`, rows)
          setState({ rows: [...before, ...rows], next, isEnd: next === undefined, busy: false })
        },
        (error: unknown) => {
          if (running.current !== mine || mine.signal.aborted) return
          setState(state => ({ ...state, busy: false, error }))
        },
      )
    },
    [key],
  )
  const reload = useCallback(() => load([], undefined), [load])

  useEffect(() => {
    setState(opening(key))
    reload()
    return () => running.current?.abort()
  }, [key, reload])

  const { rows, next, isEnd, busy, error } = state
  const more = useCallback(() => load(rows, next), [load, rows, next])
  return { rows, busy, error, more: isEnd || error !== undefined ? undefined : more, reload }
}
