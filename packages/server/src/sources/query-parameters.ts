import type { Source } from './source.js'

/** What an app gave to its sync, by name. */
export interface QueryParameters {
  readonly [name: string]: string
}

const NO_PARAMETERS: QueryParameters = {}

/** Those that the source takes. */
export function takenParameters(
  { queryParameters }: Pick<Source, 'queryParameters'>,
  given: QueryParameters,
): QueryParameters {
  if (queryParameters === true) return given
  if (queryParameters === false) return NO_PARAMETERS
  return Object.fromEntries(
    queryParameters.filter(name => Object.hasOwn(given, name)).map(name => [name, given[name] ?? '']),
  )
}
