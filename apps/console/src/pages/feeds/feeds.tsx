import type { FeedInfo } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Ago } from '../../parts/ago.js'
import { Badge } from '../../parts/badge.js'
import { bytes, number, seconds } from '../../parts/format.js'
import { Icon } from '../../parts/icon.js'
import { PageHead } from '../../parts/page-head.js'
import { EmptyState, QueryContent } from '../../parts/states.js'
import { linkTo } from '../../routes.js'
import { useQuery } from '../../use-query.js'

/** Milliseconds between reloads: a heartbeat is at most 10 seconds apart. */
const MAX_AGE = 5000

/** What tells the server of changes in backends, and whether it is up to date. */
export default function Feeds(): ReactNode {
  const feeds = useQuery('feeds', options => admin.sources.feeds(options), { every: MAX_AGE })
  return (
    <>
      <PageHead title="Feeds" says="What tells the server of changes in backends, and whether it is up to date." />
      <QueryContent query={feeds} what="the feeds">
        {all =>
          all.length === 0 ? (
            <EmptyState
              icon="feeds"
              title="No feeds"
              says="Sources without a feed are queried at intervals. A source over SQL tables gets one from sqlFeed."
            />
          ) : (
            <div className="stack">
              {all.map(feed => (
                <FeedCard key={feed.name} feed={feed} />
              ))}
            </div>
          )
        }
      </QueryContent>
    </>
  )
}

function FeedCard({ feed }: { readonly feed: FeedInfo }): ReactNode {
  const { name, stale_since, error, todo } = feed
  return (
    <section className="card" aria-label={name}>
      <div className="card-head">
        <h2 className="break">{name}</h2>
        <State feed={feed} />
      </div>
      <div className="card-body stack tight">
        {todo !== null && (
          <div className="alert">
            <Icon name="warning" />
            <div className="break">
              <p>
                {stale_since !== null && (
                  <>
                    Devices do not get what changed in the backend since <Ago time={stale_since} />.{' '}
                  </>
                )}
                {error !== null && (
                  <>
                    <strong>Last error:</strong> {error}
                  </>
                )}
              </p>
              <p className="soft">{todo}</p>
            </div>
          </div>
        )}
        <dl className="facts">
          <dt>Sources</dt>
          <dd className="break">
            {feed.sources.map((source, at) => (
              <span key={source}>
                {at > 0 && ', '}
                <a href={linkTo('sources', { open: source })}>{source}</a>
              </span>
            ))}
          </dd>
          <dt>Last heartbeat</dt>
          <dd>{timeOf(feed.heartbeat_at)}</dd>
          <dt>Last change</dt>
          <dd>{timeOf(feed.applied_at)}</dd>
          <dt>Its lag</dt>
          <dd>{feed.lag === null ? 'unknown' : seconds(feed.lag)}</dd>
          <dt>Waiting</dt>
          <dd>{waitingOf(feed)}</dd>
          <dt>Restarts</dt>
          <dd>{number(feed.restarts)}</dd>
          <dt>Cursor</dt>
          <dd className={feed.cursor === null ? 'soft' : 'mono break'}>{feed.cursor ?? 'none yet'}</dd>
        </dl>
      </div>
    </section>
  )
}

function State({ feed: { stale_since, error, heartbeat_at } }: { readonly feed: FeedInfo }): ReactNode {
  if (stale_since !== null)
    return (
      <Badge tone="bad" dot>
        Silent
      </Badge>
    )
  if (error !== null)
    return (
      <Badge tone="warn" dot>
        Failing
      </Badge>
    )
  return (
    <Badge tone={heartbeat_at === null ? 'plain' : 'good'} dot>
      {heartbeat_at === null ? 'Starting' : 'Up to date'}
    </Badge>
  )
}

const timeOf = (time: string | null): ReactNode => (time === null ? 'never' : <Ago time={time} />)

function waitingOf({ waiting_rows, waiting_bytes }: FeedInfo): string {
  if (waiting_rows === null) return 'unknown'
  const rows = `${number(waiting_rows)} ${waiting_rows === 1 ? 'row' : 'rows'}`
  return waiting_bytes === null ? rows : `${rows}, ${bytes(waiting_bytes)} of log`
}
