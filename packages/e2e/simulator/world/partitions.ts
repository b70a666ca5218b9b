import type { SourcePlan } from './plan.js'

/** Which team each user is in, by login: users of a team share the copies of sources that name it. */
export type Teams = Map<string, string>

export const TEAMS = ['red', 'blue'] as const

/** Whose copy a user has of a source. */
export function partitionFor(
  { partition, isOfTeams }: Pick<SourcePlan, 'partition' | 'isOfTeams'>,
  login: string | null,
  teams: Teams,
): string {
  if (partition === 'app') return '*'
  return isOfTeams === true ? `name:${teams.get(String(login))}` : `user:${login}`
}

/** What a backend calls a partition. */
export const backendPartition = (partition: string): string => partition.replace(/^(user|name):/, '')
