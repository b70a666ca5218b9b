import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { isSignedOut, onSignedInAgain } from './api.js'
import { Cache, type CacheSnapshot, type Fetcher } from './cache.js'

export const cache = new Cache()

/** Whether somebody sees the page, and may ask. */
export const mayReload = (): boolean => document.visibilityState === 'visible' && !isSignedOut()

export interface QueryState<T> extends CacheSnapshot<T> {
  readonly reload: () => void
}

export interface QueryOptions {
  /** Milliseconds after which it is asked again while the page is seen. */
  readonly every?: number
  /** Milliseconds in which an answer counts as fresh when a part of the page comes into sight. */
  readonly fresh?: number
}

/** An answer of the server. An earlier one is shown while it reloads; an undefined key asks nothing. */
export function useQuery<T>(
  key: string | undefined,
  fetcher: Fetcher<T>,
  { every, fresh = 500 }: QueryOptions = {},
): QueryState<T> {
  const latest = useRef(fetcher)
  latest.current = fetcher
  const name = key ?? ''
  const subscribe = useCallback((listener: () => void) => cache.subscribe(name, listener), [name])
  const snapshot = useSyncExternalStore(subscribe, () => cache.read<T>(name))
  const reload = useCallback(() => {
    if (name !== '') void cache.load(name, options => latest.current(options))
  }, [name])
  useEffect(() => {
    if (name !== '') cache.ensure(name, options => latest.current(options), fresh)
  }, [name, fresh])
  useEffect(() => onSignedInAgain(reload), [reload])
  useEffect(() => {
    if (every === undefined) return
    const timer = setInterval(() => mayReload() && reload(), every)
    return () => clearInterval(timer)
  }, [every, reload])
  return { ...snapshot, reload }
}
