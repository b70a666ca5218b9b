/** The limits for each user or client that are counted when they are reached. */
export const QUOTAS = [
  'clientsPerUser',
  'streamsPerClient',
  'pushesPerUser',
  'outcomesPerClient',
  'unnamedBlobBytes',
  'dynamicSourcesPerUser',
] as const
export type Quota = (typeof QUOTAS)[number]
