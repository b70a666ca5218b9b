import { type RouteLine, routes } from '@godwit/protocol'

/** The methods of sources that are counted. */
export const COUNTED_METHODS = ['query', 'create', 'update', 'delete', 'search', 'login'] as const
export type CountedMethod = (typeof COUNTED_METHODS)[number]

/** Metrics with a value at a time instead of buckets. */
export const GAUGES = ['users', 'clients'] as const
export type Gauge = (typeof GAUGES)[number]

export const isGauge = (key: string): key is Gauge => (GAUGES as readonly string[]).includes(key)

/** What the path names stays a placeholder: users and objects make no keys. */
export const requestKey = ({ method, path }: RouteLine): string => `http:${method}:${path}`

/** The key under which the calls of a source's method are counted. */
export const sourceKey = (method: CountedMethod, source: string): string => `source:${method}:${source}`

/** Every key that this server counts under, whether anything was counted yet or not. */
export function countedKeys(sources: readonly { readonly name: string }[]): readonly string[] {
  const lines = Object.values(routes).flatMap(group => Object.values<RouteLine>(group))
  const ofSources = sources.flatMap(({ name }) => COUNTED_METHODS.map(method => sourceKey(method, name)))
  return [...GAUGES, ...lines.map(requestKey), ...ofSources]
}
