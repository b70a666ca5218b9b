import type { ServerState } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { bytes, number, seconds } from '../../parts/format.js'

interface StatProps {
  readonly name: string
  readonly value: string
  readonly says?: string
}

const Stat = ({ name, value, says }: StatProps): ReactNode => (
  <div className="stat">
    <dt>{name}</dt>
    <dd>
      {value}
      {says !== undefined && <small>{says}</small>}
    </dd>
  </div>
)

/** Key figures of the server. */
export function Figures({ state }: { readonly state: ServerState }): ReactNode {
  const { clients, users, streams, undecided, refusals, jobs, store, requests, failures } = state
  const pull = requests.find(({ route }) => route === 'device.pull')
  const failed = failures.reduce((sum, { count }) => sum + count, 0)
  const push = requests.find(({ route }) => route === 'device.push')
  return (
    <dl className="card stats">
      <Stat name="Devices" value={number(clients)} says={`${number(users)} users`} />
      <Stat name="Listening now" value={number(streams)} says="open event streams" />
      <Stat name="Pull latency, p99" value={seconds(pull?.p99 ?? 0)} says={timesText(pull)} />
      <Stat name="Push latency, p99" value={seconds(push?.p99 ?? 0)} says={timesText(push)} />
      <Stat
        name="Mutations in doubt"
        value={number(undecided.in_doubt)}
        says={`${number(undecided.queued + undecided.started)} in progress · ${number(refusals ?? 0)} refused in 30 days`}
      />
      <Stat name="Pending jobs" value={number(jobs.waiting + jobs.running)} says={`${number(jobs.dead)} dead`} />
      <Stat name="Store" value={store.bytes === null ? '–' : bytes(store.bytes)} says={durabilityText(store)} />
      <Stat name="Errors" value={number(failed)} says="error responses since startup" />
    </dl>
  )
}

const timesText = (times: ServerState['requests'][number] | undefined): string =>
  times === undefined || times.count === 0
    ? 'none yet'
    : `p50 ${seconds(times.p50)} · p95 ${seconds(times.p95)} · ${number(times.count)} total`

const durabilityText = ({ bytes, persists }: ServerState['store']): string => {
  if (bytes === null) return 'in memory'
  return persists === false ? 'lost on restart' : 'durable'
}
