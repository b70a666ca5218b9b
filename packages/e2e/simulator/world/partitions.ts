import type { SourcePlan } from './plan.js'

/** The team of each user, by login. A source with teams has one partition for each team. */
export type Teams = Map<string, string>

export const TEAMS = ['red', 'blue'] as const

/** Returns the partition of a user in a source. */
export function partitionFor(
  { partition, isOfTeams }: Pick<SourcePlan, 'partition' | 'isOfTeams'>,
  login: string | null,
  teams: Teams,
): string {
  if (partition === 'app') return '*'
  return isOfTeams === true ? `name:${teams.get(String(login))}` : `user:${login}`
}

/** Returns the backend's name for a partition, without its prefix. */
export const backendPartition = (partition: string): string => partition.replace(/^(user|name):/, '')
