import { type RouteLine, routes } from '@godwit/protocol'

/** The source methods that are counted. */
export const COUNTED_METHODS = ['query', 'create', 'update', 'delete', 'search', 'login'] as const
export type CountedMethod = (typeof COUNTED_METHODS)[number]

/** Metrics with a value at a time instead of buckets. */
export const GAUGES = ['users', 'clients'] as const
export type Gauge = (typeof GAUGES)[number]

export const isGauge = (key: string): key is Gauge => (GAUGES as readonly string[]).includes(key)

/** Returns the metric key of a route. Path parameters stay placeholders, so that users and objects create no keys. */
export const requestKey = ({ method, path }: RouteLine): string => `http:${method}:${path}`

/** Returns the metric key of a source's method. */
export const sourceKey = (method: CountedMethod, source: string): string => `source:${method}:${source}`

/** Returns every metric key of this server, with or without recorded values. */
export function countedKeys(sources: readonly { readonly name: string }[]): readonly string[] {
  const lines = Object.values(routes).flatMap(group => Object.values<RouteLine>(group))
  const ofSources = sources.flatMap(({ name }) => COUNTED_METHODS.map(method => sourceKey(method, name)))
  return [...GAUGES, ...lines.map(requestKey), ...ofSources]
}
