import type { WriteResult } from '@godwit/protocol'
import { messageOf, type Source } from '@godwit/source'
import type { CollectionId } from '@godwit/store'
import { findCollection } from '../../backend/sources/partition-of.js'
import type { Engine, ServerEngine } from '../../start/engine.js'
import { ping } from './ping.js'

const PAGE = 500

/** The data of a job that pings the users of a partition. */
export interface NotifyData {
  readonly source: string
  readonly partition: string
}

/**
 * Enqueues a ping after a backend's write if the source wants one; writes in quick succession share one. A failure is logged and does not fail the
 * write.
 */
export async function notifyUsers(
  { jobs, sources, limits, log }: Pick<Engine, 'jobs' | 'sources' | 'limits' | 'log'>,
  { source, partition }: CollectionId,
  { changed }: WriteResult,
): Promise<void> {
  if (changed === 0 || !sources.find(source)?.pushNotify) return
  const data = { source, partition } satisfies NotifyData
  const id = JSON.stringify(['notify', source, partition])
  await jobs
    .enqueue({ queue: 'ping', id, kind: 'notify', data, group: id, delay: limits.eventGather })
    .catch(error => log.error({ source, error: messageOf(error) }, 'could not enqueue a ping after a write'))
}

/** Pings all users who see the partition. */
export async function pingPartition(engine: ServerEngine, { source: name, partition }: NotifyData): Promise<void> {
  const source = engine.sources.find(name)
  if (!source) return
  for await (const logins of usersOf(engine, source, partition)) {
    if (logins.length > 0) await ping(engine, { user_id: logins, sources: name })
  }
}

async function* usersOf(
  { store: { registry } }: Pick<Engine, 'store'>,
  source: Source,
  partition: string,
): AsyncGenerator<readonly string[]> {
  if (partition.startsWith('user:')) return yield [partition.slice('user:'.length)]
  for (let after: string | undefined; ; ) {
    const page = await registry.list('user', { after, limit: PAGE })
    yield page.map(({ id }) => id).filter(login => findCollection(source, login)?.partition === partition)
    after = page.at(-1)?.id
    if (page.length < PAGE) return
  }
}
