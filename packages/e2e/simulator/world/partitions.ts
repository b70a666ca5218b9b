import type { SourcePlan } from './plan.js'

/** The team of each user, by login: users of a team share the copies of sources with teams. */
export type Teams = Map<string, string>

export const TEAMS = ['red', 'blue'] as const

/** The partition of a user in a source. */
export function partitionFor(
  { partition, isOfTeams }: Pick<SourcePlan, 'partition' | 'isOfTeams'>,
  login: string | null,
  teams: Teams,
): string {
  if (partition === 'app') return '*'
  return isOfTeams === true ? `name:${teams.get(String(login))}` : `user:${login}`
}

/** The backend's name for a partition. */
export const backendPartition = (partition: string): string => partition.replace(/^(user|name):/, '')
