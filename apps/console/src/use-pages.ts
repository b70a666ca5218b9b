import { useCallback, useEffect, useRef, useState } from 'react'
import { onSignedInAgain } from './api.js'
import { cache, mayReload } from './use-query.js'

/** A page of a list, and the position of the next. */
export interface PagePart<Row, Position> {
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
  /** True if only the first page was read. */
  readonly isFirst?: boolean
}

const EMPTY = { rows: [], isEnd: false, busy: true } as const

/** Returns the cached first page, which is shown until it is reloaded, or if reloading fails. */
function initialState<Row, Position>(key: string): State<Row, Position> {
  const rows = cache.read<readonly Row[]>(`list ${key}`).data
  return rows ? { ...EMPTY, rows } : EMPTY
}

export interface PagesOptions {
  /** Milliseconds between reloads of the first page while the list is visible. */
  readonly every?: number
}

/** Loads a list page by page while scrolling. The key identifies the list in the cache; another key starts over. */
export function usePages<Row, Position = string>(
  key: string,
  read: (after: Position | undefined, signal: AbortSignal) => Promise<PagePart<Row, Position>>,
  { every }: PagesOptions = {},
): Pages<Row> {
  const [state, setState] = useState<State<Row, Position>>(() => initialState(key))
  const latest = useRef(read)
  latest.current = read
  const running = useRef<AbortController>(undefined)

  const load = useCallback(
    (before: readonly Row[], after: Position | undefined, isQuiet = false) => {
      running.current?.abort()
      const mine = new AbortController()
      running.current = mine
      if (!isQuiet) setState(state => ({ ...state, busy: true }))
      latest.current(after, mine.signal).then(
        ({ rows, next }) => {
          if (running.current !== mine) return
          if (after === undefined) cache.keep(`list ${key}`, rows)
          setState({
            rows: [...before, ...rows],
            next,
            isEnd: next === undefined,
            busy: false,
            isFirst: after === undefined,
          })
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
    setState(initialState(key))
    reload()
    return () => running.current?.abort()
  }, [key, reload])

  const { rows, next, isEnd, busy, error, isFirst } = state
  useEffect(() => onSignedInAgain(reload), [reload])
  useEffect(() => {
    // Do not reload after the user has scrolled beyond the first page.
    if (every === undefined || busy || !isFirst) return
    const timer = setInterval(() => mayReload() && load([], undefined, true), every)
    return () => clearInterval(timer)
  }, [every, busy, isFirst, load])
  const more = useCallback(() => load(rows, next), [load, rows, next])
  return { rows, busy, error, more: isEnd || error !== undefined ? undefined : more, reload }
}
