import {
  type Page,
  type PartitionEntry,
  type PartitionParameters,
  type PartitionPull,
  type PullBody,
  parametersName,
  type SourceError,
} from '@godwit/protocol'

/** The partitions of a source with `by`, as its backend decides about them. */
export interface FakePartitions {
  readonly by: readonly string[]
  /** What the server lists for every user. */
  listed: readonly PartitionParameters[]
  /** The names of partitions that no user may see. */
  readonly denied: Set<string>
  /** Errors of partitions, by their names. */
  readonly failing: Map<string, SourceError>
  /** Names of partitions that a response has no room for. */
  readonly unserved: Set<string>
}

export const fakePartitions = (by: readonly string[], listed: readonly PartitionParameters[] = []): FakePartitions => ({
  by,
  listed,
  denied: new Set(),
  failing: new Map(),
  unserved: new Set(),
})

/** What a pull of many partitions needs. */
export interface PulledPartitions {
  readonly partitions: FakePartitions
  readonly page: (parameters: PartitionParameters, query: URLSearchParams) => Page | undefined
  readonly head: (parameters: PartitionParameters) => { readonly epoch: string; readonly head: number }
  readonly asked: (pulls: readonly PartitionPull[]) => void
}

/** Answers a pull of many partitions. */
export function pullPartitions(pulled: PulledPartitions, { pulls = [] }: PullBody): Response {
  const { partitions, head } = pulled
  pulled.asked(pulls)
  return Response.json({
    by: partitions.by,
    pages: pulls.map(one => entryOf(pulled, one)),
    partitions: partitions.listed
      .filter(parameters => !partitions.denied.has(parametersName(parameters)))
      .map(parameters => ({ parameters, ...head(parameters) })),
  })
}

function entryOf({ partitions, page }: PulledPartitions, pull: PartitionPull): PartitionEntry {
  const { parameters, token, acknowledged = 0, p_size: size = 500 } = pull
  const name = parametersName(parameters)
  if (partitions.denied.has(name))
    return { parameters, error: { code: 'partition_not_allowed', message: `${name} is not allowed.` } }
  const error = partitions.failing.get(name)
  if (error) return { parameters, error }
  if (partitions.unserved.delete(name)) return { parameters, more: true, ...(token !== undefined && { token }) }
  const query = new URLSearchParams({
    acknowledged: String(acknowledged),
    p_size: String(size),
    ...(token !== undefined && { token }),
  })
  const answer = page(parameters, query)
  return answer
    ? { parameters, ...answer }
    : { parameters, error: { code: 'client_forked', message: 'The server has lost data.' } }
}
