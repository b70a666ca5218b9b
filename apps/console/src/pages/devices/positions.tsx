import type { ClientSource } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Ago } from '../../parts/ago.js'
import { Badge } from '../../parts/badge.js'
import { number } from '../../parts/format.js'
import { QueryContent } from '../../parts/states.js'
import { useQuery } from '../../use-query.js'

/** Milliseconds. */
const MAX_AGE = 5000

/** The sync state of each source on a device. Positions are updated periodically: the device may be ahead of them, never behind. */
export function Positions({ id }: { readonly id: string }): ReactNode {
  const sources = useQuery(`sources of ${id}`, options => admin.clients.sources(id, options), { every: MAX_AGE })
  return (
    <section className="stack tight">
      <h3>Sources</h3>
      <QueryContent query={sources} what="the sources">
        {all => (
          <>
            <table className="plain-table">
              <thead>
                <tr>
                  <th scope="col">Source</th>
                  <th scope="col" className="end">
                    Version
                  </th>
                  <th scope="col" className="end">
                    Latest
                  </th>
                  <th scope="col" className="wide-only">
                    Recorded
                  </th>
                  <th scope="col" className="end">
                    Queued
                  </th>
                  <th scope="col">State</th>
                </tr>
              </thead>
              <tbody>
                {all.map(one => (
                  <tr key={one.source}>
                    <td>{one.source}</td>
                    <td className="end">{one.version === null ? '–' : number(one.version)}</td>
                    <td className="end">{number(one.head)}</td>
                    <td className="wide-only">
                      <Ago time={one.recorded_at} />
                    </td>
                    <td className="end">{number(one.queued)}</td>
                    <td>
                      <SourceStatus of={one} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            <UnconfirmedOutcomes all={all} />
          </>
        )}
      </QueryContent>
    </section>
  )
}

function SourceStatus({ of: { version, head } }: { readonly of: ClientSource }): ReactNode {
  if (version === null) return <Badge>never pulled</Badge>
  return version < head ? <Badge tone="warn">behind</Badge> : <Badge tone="good">up to date</Badge>
}

/** Outcomes that the device has not acknowledged. */
function UnconfirmedOutcomes({ all }: { readonly all: readonly ClientSource[] }): ReactNode {
  const lines = all.flatMap(({ source, outcomes }) => outcomes.map(outcome => ({ source, ...outcome })))
  if (lines.length === 0) return <p className="soft">The device has received the outcomes of all its changes.</p>
  return (
    <>
      <h3>Outcomes not yet received</h3>
      <ul className="stack tight">
        {lines.map(({ source, number, status, error }) => (
          <li key={`${source} ${number}`} className="break">
            <Badge tone={status === 'applied' ? 'good' : 'bad'}>{status.replaceAll('_', ' ')}</Badge> {source}, change{' '}
            {number}
            {error && `: ${error.message}`}
          </li>
        ))}
      </ul>
    </>
  )
}
