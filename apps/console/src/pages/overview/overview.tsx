import type { ServerState } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Ago } from '../../parts/ago.js'
import { Badge } from '../../parts/badge.js'
import { Segments } from '../../parts/field.js'
import { number } from '../../parts/format.js'
import { PageHead } from '../../parts/page-head.js'
import { QueryContent } from '../../parts/states.js'
import { useFilters } from '../../routes.js'
import { useQuery } from '../../use-query.js'
import { Failures } from './failures.js'
import { Feed } from './feed.js'
import { Figures } from './figures.js'
import { Queues } from './queues.js'
import { RANGES, Traffic } from './traffic.js'
import { useEvents } from './use-events.js'
import { Warnings } from './warnings.js'

const MAX_AGE = 5000

/** The live state of the server. */
export default function Overview(): ReactNode {
  const state = useQuery('state', options => admin.system.state(options), { every: MAX_AGE })
  const live = useEvents()
  // An interrupted stream reconnects without a message.
  const isLive = live.isOpen && state.error === undefined
  const [{ range = '1h' }, setFilters] = useFilters()
  return (
    <>
      <PageHead title="Overview" says="Live activity, pending work, and warnings.">
        <Badge tone={isLive ? 'good' : 'warn'} dot>
          {isLive ? 'Live' : 'Connecting…'}
        </Badge>
      </PageHead>
      <QueryContent query={state} what="the state of the server">
        {now => (
          <div className="stack">
            <Warnings warnings={now.warnings} />
            <Figures state={now} />
            <section className="card">
              <div className="card-head">
                <h2>Device traffic</h2>
                <Segments
                  label="Time range"
                  value={range}
                  options={RANGES}
                  onChoose={one => setFilters({ range: one })}
                />
              </div>
              <div className="card-body">
                <Traffic range={range} />
              </div>
            </section>
            <div className="columns">
              <Feed events={live.events} />
              <div className="stack">
                <Failures failures={now.failures} />
                <Queues queues={now.queues ?? []} />
                <Processes state={now} />
              </div>
            </div>
          </div>
        )}
      </QueryContent>
    </>
  )
}

const Processes = ({ state }: { readonly state: ServerState }): ReactNode => (
  <section className="card" aria-label="Processes">
    <div className="card-head">
      <h2>Processes</h2>
    </div>
    <div className="card-body">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">Started</th>
            <th scope="col" className="end">
              Streams
            </th>
            <th scope="col">Name</th>
          </tr>
        </thead>
        <tbody>
          {state.processes.map(({ process, version, started_at, streams }) => (
            <tr key={process}>
              <td>{version}</td>
              <td>
                <Ago time={started_at} />
              </td>
              <td className="end">{number(streams)}</td>
              <td className="mono break">
                {process.slice(0, 8)}
                {process === state.process && <span className="soft"> (this one)</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="soft">The store {storeText(state.store)}.</p>
    </div>
  </section>
)

function storeText({ persists, intact }: ServerState['store']): string {
  const kept = persists === false ? 'loses its data on restart' : 'is durable'
  return intact === null ? kept : `${kept}, and ${intact ? 'passed' : 'failed'} its last integrity check`
}
