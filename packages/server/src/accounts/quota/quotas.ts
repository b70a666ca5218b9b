/** The limits per user or client whose excess is counted in the metrics. */
export const QUOTAS = [
  'clientsPerUser',
  'sessionsPerUser',
  'streamsPerClient',
  'pushesPerUser',
  'outcomesPerClient',
  'unnamedBlobBytes',
  'dynamicSourcesPerUser',
] as const
/** The name of such a limit. */
export type Quota = (typeof QUOTAS)[number]
