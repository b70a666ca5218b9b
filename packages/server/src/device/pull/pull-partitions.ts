import { type PartitionPull, parametersName, SyncError } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import { READ_BYTES } from '@godwit/store'
import type { ReplyLease } from '../../accounts/quota/reply-budget.js'
import { type ClientRecord, collectionsOfClient } from '../../accounts/users/client-record.js'
import { judgePartitions, notAllowedError } from '../../backend/partitions/access.js'
import { collectionOfRequest } from '../../backend/partitions/resolve-partition.js'
import type { WaitingCaller } from '../../backend/query/request-query.js'
import { parametersOfPartition } from '../../backend/sources/partition-of.js'
import { TextReply } from '../../base/text-reply.js'
import type { DeviceEngine } from '../device-engine.js'
import { PartitionEntries } from './partition-entries.js'
import { type PullRequest, resolvePull } from './pull.js'
import { type OpenPull, readAfterQueries, readNow } from './read-partitions.js'

/** A device's pull of partitions of one source with `by`. */
export interface PartitionsRequest extends Pick<PullRequest, 'source' | 'user' | 'client' | 'isHinted'> {
  readonly pulls: readonly PartitionPull[]
  readonly caller?: WaitingCaller
  readonly lease?: ReplyLease
}

/**
 * Returns pages of partitions: judge access → read those that need no query → run the due queries for a limited time → list the user's partitions. The
 * error of one partition is its own.
 */
export async function pullPartitions(engine: DeviceEngine, request: PartitionsRequest): Promise<TextReply> {
  const { user, lease, caller } = request
  const source = await engine.sources.learn(request.source, user)
  const { by } = source
  if (by === undefined) throw noPartitionsError(source.name)
  const entries = new PartitionEntries(engine, source)
  const wanted = acceptedPulls(engine, request, entries)
  const { listed, verdicts } = await judgePartitions(
    engine,
    source,
    user,
    wanted.map(({ parameters }) => parameters),
  )
  const pulls = wanted.flatMap((pull, index) => {
    const verdict = verdicts[index] as boolean | Error
    const open = entries.attempt(pull.parameters, () => {
      if (verdict instanceof Error) throw verdict
      if (!verdict) throw notAllowedError(source.name, pull.parameters)
      return openPull(engine, source, request, pull)
    })
    return open === undefined ? [] : [open]
  })
  await lease?.take(READ_BYTES, caller)
  const waiting = await readNow(engine, entries, pulls)
  // From here on queries are waited for: what other replies may use must not depend on them.
  lease?.resize(entries.bytes)
  await readAfterQueries(engine, entries, waiting)
  const text = await entries.compose(by, listed.partitions)
  lease?.resize(text.length)
  return new TextReply(text)
}

function openPull(engine: DeviceEngine, source: Source, request: PartitionsRequest, pull: PartitionPull): OpenPull {
  const { user, client, isHinted = false } = request
  const { parameters, token, stored_token: storedToken, p_size: pageSize, acknowledged } = pull
  const collection = collectionOfRequest(source, { user, parameters })
  const of = { source: source.name, user, client, token, storedToken, pageSize, acknowledged, isHinted }
  return { pull, context: resolvePull(engine, of, { source, collection }) }
}

/** Returns the pulls without repeated ones, those that do not fit `by`, and those that are over the number that a client may hold. */
function acceptedPulls(
  { limits }: DeviceEngine,
  { source, client, pulls, user }: PartitionsRequest,
  entries: PartitionEntries,
): readonly PartitionPull[] {
  const known = knownPartitions(client, source)
  const seen = new Set<string>()
  return pulls.filter(({ parameters }) => {
    const name = parametersName(parameters)
    if (seen.has(name)) return false
    seen.add(name)
    const accepted = entries.attempt(parameters, () => {
      collectionOfRequest(entries.source, { user, parameters })
      const isTooMany = seen.size > limits.partitionsPerClient && !known.has(name)
      if (isTooMany) throw tooManyError(limits.partitionsPerClient)
      return true
    })
    return accepted === true
  })
}

/** Returns the names of the partitions of a source that have data of the client. */
function knownPartitions(client: ClientRecord, source: string): ReadonlySet<string> {
  const names = collectionsOfClient(client).flatMap(collection => {
    const parameters = collection.source === source ? parametersOfPartition(collection.partition) : undefined
    return parameters === undefined ? [] : [parametersName(parameters)]
  })
  return new Set(names)
}

const noPartitionsError = (source: string): SyncError =>
  new SyncError('value_not_allowed', `expected a pull without pulls for ${source}, a source without by, got some.`)

const tooManyError = (most: number): SyncError =>
  new SyncError(
    'quota_exceeded',
    `expected at most ${most} partitions of a source on one device (limits.partitionsPerClient), got one more. Unsubscribe from another one.`,
  )
