/** The limits for each user or client that are counted when they are reached. */
export const QUOTAS = [
  'clientsPerUser',
  'sessionsPerUser',
  'streamsPerClient',
  'pushesPerUser',
  'outcomesPerClient',
  'unnamedBlobBytes',
  'dynamicSourcesPerUser',
] as const
/** The name of a limit that is counted when it is reached. */
export type Quota = (typeof QUOTAS)[number]
