import { isSyncError, type PartitionState, type StatsBucket } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin, messageOf } from '../../api.js'
import { Ago } from '../../parts/ago.js'
import { useConfirm } from '../../parts/confirm.js'
import { number, seconds } from '../../parts/format.js'
import { Icon } from '../../parts/icon.js'
import { useAction } from '../../parts/notices.js'
import { QueryContent } from '../../parts/states.js'
import { linkTo } from '../../routes.js'
import { useSession } from '../../session.js'
import { useQuery } from '../../use-query.js'
import { Removals } from './removals.js'

interface CopyProps {
  readonly source: string
  /** A login, or `*` for the shared partition. */
  readonly user: string
}

const MAX_AGE = 5000

/** The state of a partition, with an action that queries its backend again. */
export function Copy({ source, user }: CopyProps): ReactNode {
  const { may } = useSession()
  const confirm = useConfirm()
  const perform = useAction()
  const copy = useQuery(`copy ${source} ${user}`, options => admin.users.partition(user, source, options), {
    every: MAX_AGE,
  })
  const refresh = async (): Promise<void> => {
    const yes = await confirm({
      title: `Query the backend of ${source} now?`,
      says: 'The query runs immediately. Its result replaces the objects of this partition, including those that only pushes added. Listening devices are notified.',
      undo: 'never',
      action: 'Refresh now',
    })
    if (!yes) return
    await perform(() => admin.readState.refresh(user, source), refreshed)
    copy.reload()
  }
  const refreshed = ({ query_requested, error, count }: PartitionState): string => {
    if (error !== null) return `The query of ${source} failed: ${error.message}`
    if (query_requested) return `A worker will query the backend of ${source}.`
    return `${source} was queried and has ${number(count)} ${count === 1 ? 'object' : 'objects'}.`
  }
  return (
    <QueryContent query={copy} what="the partition">
      {now => (
        <section className="stack tight">
          {now.error !== null && (
            <div className="alert bad">
              <Icon name="warning" />
              <span className="break">The last query failed: {messageOf(new Error(now.error.message))}</span>
            </div>
          )}
          {now.pending_removals !== null && (
            <Removals source={source} user={user} removals={now.pending_removals} changed={copy.reload} />
          )}
          <dl className="facts">
            <dt>Objects</dt>
            <dd className="number">{number(now.count)}</dd>
            <dt>Position</dt>
            <dd>
              <span className="number">version {number(now.version)}</span>
              {now.version > 0 && (
                <>
                  , written <Ago time={now.changed_at ?? null} never="before its recorded history" />
                </>
              )}
            </dd>
            <dt>Last query</dt>
            <dd>
              <Ago time={now.queried_at} />
            </dd>
            <dt>Duration</dt>
            <dd>
              <Duration source={source} />
            </dd>
            <dt>Next query</dt>
            <dd>
              {now.query_requested ? (
                'requested: a worker or the next pull runs it'
              ) : (
                <Ago time={now.next_query} never="not scheduled" />
              )}
            </dd>
            <dt>Partition</dt>
            <dd className="mono break">{now.partition}</dd>
          </dl>
          <p className="soft">
            A query reads everything again, and a push says what changed: there is no cursor of the backend to go on
            from. Devices go on from the version that they have.
          </p>
          <div className="buttons">
            {may('readState.set') && (
              <button type="button" className="button" onClick={refresh} disabled={now.query_requested}>
                <Icon name="refresh" />
                Refresh…
              </button>
            )}
            {may('users.objects') && (
              <a className="button" href={linkTo('objects', { source, user })}>
                <Icon name="objects" />
                Show objects
              </a>
            )}
          </div>
        </section>
      )}
    </QueryContent>
  )
}

/** The duration of queries in the last minute that had any. */
function Duration({ source }: { readonly source: string }): ReactNode {
  const { data, error } = useQuery(`duration ${source}`, options => lastOf(source, options.signal))
  if (error !== undefined) return <span className="soft">unknown</span>
  if (data === undefined) return <span className="soft">…</span>
  if (data === null) return <span className="soft">no query in the last 31 days</span>
  return (
    <span className="number">
      {seconds(data.sum / Math.max(1, data.count))}
      {data.count > 1 && <span className="soft">, average of {data.count}</span>}
    </span>
  )
}

async function lastOf(source: string, signal: AbortSignal): Promise<StatsBucket | null> {
  try {
    const buckets = await admin.system.stats.read(`source:query:${source}`, { start: -1, finish: -1, signal })
    return (buckets.at(-1) as StatsBucket | undefined) ?? null
  } catch (error) {
    if (isSyncError(error) && error.code === 'metric_not_found') return null
    throw error
  }
}
