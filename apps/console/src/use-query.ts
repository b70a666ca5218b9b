import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { isSignedOut, onSignedInAgain } from './api.js'
import { Cache, type CacheSnapshot, type Fetcher } from './cache.js'

export const cache = new Cache()

/** True if the page is visible and the user is signed in. */
export const mayReload = (): boolean => document.visibilityState === 'visible' && !isSignedOut()

export interface QueryState<T> extends CacheSnapshot<T> {
  readonly reload: () => void
}

export interface QueryOptions {
  /** Milliseconds between reloads while the page is visible. */
  readonly every?: number
  /** Milliseconds for which a response is fresh enough to skip a reload on mount. */
  readonly fresh?: number
}

/** Returns a response of the server; an earlier one is shown while it reloads. With an undefined key, sends no request. */
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
