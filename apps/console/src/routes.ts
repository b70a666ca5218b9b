import { mayCall, type Role, type RouteLine, type Routes, routes } from '@godwit/protocol'
import { useMemo, useSyncExternalStore } from 'react'

/** Group and name of a route of the server: `users.create`. */
export type RouteName = { [Group in keyof Routes]: `${Group}.${keyof Routes[Group] & string}` }[keyof Routes]

/** What a role may not do is not offered; the server refuses it anyway. */
export function mayCallRoute(role: Role, name: RouteName): boolean {
  const [group = '', route = ''] = name.split('.')
  const line = (routes as unknown as Record<string, Record<string, RouteLine>>)[group]?.[route]
  return line !== undefined && mayCall(role, line.roles)
}

/** Where the reader is: a page, and its filters. All of it stands in the address, so that it can be sent as a link. */
export interface ConsoleLocation {
  readonly path: string
  readonly filters: Readonly<Record<string, string>>
}

/** Reads the page and the parameters from the hash of an address. */
export function locationOf(hash: string): ConsoleLocation {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split('?', 2)
  return { path: path || 'overview', filters: Object.fromEntries(new URLSearchParams(search)) }
}

/** An undefined or empty filter is left out. */
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

/** The filters of the page, and what changes them: typing replaces the address, so that "back" leaves the page. */
export function useFilters(): readonly [
  ConsoleLocation['filters'],
  (change: Record<string, string | undefined>) => void,
] {
  const { path: page, filters } = useLocation()
  const change = (some: Record<string, string | undefined>): void => {
    // Where the reader is by now: what was typed counts a moment later, and on another page not at all.
    const { path, filters } = locationOf(location.hash)
    if (path !== page) return
    history.replaceState(null, '', linkTo(path, { ...filters, ...some }))
    dispatchEvent(new HashChangeEvent('hashchange'))
  }
  return [filters, change]
}

/** What the address opens beside a list, and what closes it. An action that ends late leaves alone what was opened since. */
export function useOpenItem(): readonly [open: string | undefined, close: () => void] {
  const [{ open }, change] = useFilters()
  const close = (): void => {
    if (locationOf(location.hash).filters['open'] === open) change({ open: undefined })
  }
  return [open, close]
}
