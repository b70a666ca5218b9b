import type { ClientInfo } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Badge } from '../../parts/badge.js'
import { number } from '../../parts/format.js'
import { useQuery } from '../../use-query.js'

/** How far a device has come in each source. Positions are noted from time to time: it may have more, never less. */
export function Positions({ client: { user, positions } }: { readonly client: ClientInfo }): ReactNode {
  const sources = Object.entries(positions)
  return (
    <section className="stack tight">
      <h3>Sources</h3>
      {sources.length === 0 ? (
        <p className="soft">It has not pulled any source, or its position was not noted yet.</p>
      ) : (
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">Source</th>
              <th scope="col" className="end">
                Has version
              </th>
              <th scope="col" className="end">
                Of
              </th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {sources.map(([source, version]) => (
              <Line key={source} source={source} user={user} version={version} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

interface LineProps {
  readonly source: string
  readonly user: string
  readonly version: number
}

function Line({ source, user, version }: LineProps): ReactNode {
  const { data } = useQuery(`copy ${source} ${user}`, options => admin.users.partition(user, source, options))
  const waits = (data?.version ?? version) > version
  return (
    <tr>
      <td>{source}</td>
      <td className="end">{number(version)}</td>
      <td className="end">{data ? number(data.version) : '…'}</td>
      <td>{waits ? <Badge tone="warn">something waits</Badge> : <Badge tone="good">up to date</Badge>}</td>
    </tr>
  )
}
