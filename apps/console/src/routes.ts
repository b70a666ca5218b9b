import { mayCall, type Role, type RouteLine, type Routes, routes } from '@godwit/protocol'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'

/** Group and name of a route of the server: `users.create`. */
export type RouteName = { [Group in keyof Routes]: `${Group}.${keyof Routes[Group] & string}` }[keyof Routes]

/** True if the role may call the route. Only decides what the console offers; the server checks it too. */
export function mayCallRoute(role: Role, name: RouteName): boolean {
  const [group = '', route = ''] = name.split('.')
  const line = (routes as unknown as Record<string, Record<string, RouteLine>>)[group]?.[route]
  return line !== undefined && mayCall(role, line.roles)
}

/** A page and its filters. The URL contains all of it, so that it can be shared as a link. */
export interface ConsoleLocation {
  readonly path: string
  readonly filters: Readonly<Record<string, string>>
}

/** Parses the page and its filters from a URL hash. */
export function locationOf(hash: string): ConsoleLocation {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split('?', 2)
  return { path: path || 'overview', filters: Object.fromEntries(new URLSearchParams(search)) }
}

/** Returns the hash for a page; undefined and empty filters are omitted. */
export function linkTo(path: string, filters: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(filters).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return `#/${path}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`
}

const listen = (listener: () => void): (() => void) => {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

export function useLocation(): ConsoleLocation {
  const hash = useSyncExternalStore(listen, () => location.hash)
  return useMemo(() => locationOf(hash), [hash])
}

/** Calls `leave` when the user goes to another page or item, also by "back". Changes of filters are no navigation. */
export function useLeave(leave: () => void): void {
  const latest = useRef(leave)
  latest.current = leave
  useEffect(() => {
    const onPop = (): void => latest.current()
    addEventListener('popstate', onPop)
    return () => removeEventListener('popstate', onPop)
  }, [])
}

/** Returns the page's filters and a function that changes them. Changes replace the history entry, so that "back" leaves the page. */
export function useFilters(): readonly [
  ConsoleLocation['filters'],
  (change: Record<string, string | undefined>) => void,
] {
  const { path: page, filters } = useLocation()
  const change = (some: Record<string, string | undefined>): void => {
    // Read the current location, because typing is reported with a delay; changes of a page that was left are dropped.
    const { path, filters } = locationOf(location.hash)
    if (path !== page) return
    history.replaceState(null, '', linkTo(path, { ...filters, ...some }))
    dispatchEvent(new HashChangeEvent('hashchange'))
  }
  return [filters, change]
}

/** Returns the item that the URL opens beside a list, and a function that closes it. A late call does not close an item that was opened since. */
export function useOpenItem(): readonly [open: string | undefined, close: () => void] {
  const [{ open }, change] = useFilters()
  const close = (): void => {
    if (locationOf(location.hash).filters['open'] === open) change({ open: undefined })
  }
  return [open, close]
}
