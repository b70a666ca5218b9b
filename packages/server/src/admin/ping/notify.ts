import type { Source } from '@godwit/source'
import type { NotifyData } from '../../backend/jobs/enqueue.js'
import { findCollection } from '../../backend/sources/partition-of.js'
import type { AdminEngine } from '../admin-engine.js'
import { ping } from './ping.js'

const PAGE = 500

/** Pings all users who see the partition. */
export async function pingPartition(engine: AdminEngine, { source: name, partition }: NotifyData): Promise<void> {
  const source = engine.sources.find(name)
  if (!source) return
  for await (const logins of usersOf(engine, source, partition)) {
    if (logins.length > 0) await ping(engine, { user_id: logins, sources: name })
  }
}

async function* usersOf(
  { store: { registry } }: Pick<AdminEngine, 'store'>,
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
