import type { ServerState } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { number } from '../../parts/format.js'
import { EmptyState } from '../../parts/states.js'

const MAX_FAILURES = 8

/** Error responses since the start of the processes, most frequent first. */
export function Failures({ failures }: { readonly failures: ServerState['failures'] }): ReactNode {
  const most = [...failures].sort((one, other) => other.count - one.count).slice(0, MAX_FAILURES)
  return (
    <section className="card">
      <div className="card-head">
        <h2>Errors by type</h2>
      </div>
      {most.length === 0 ? (
        <EmptyState icon="check" title="No errors" says="No error responses since startup." />
      ) : (
        <div className="card-body">
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">Error</th>
                <th scope="col">Route</th>
                <th scope="col" className="end">
                  Count
                </th>
              </tr>
            </thead>
            <tbody>
              {most.map(({ route, code, count }) => (
                <tr key={`${route} ${code}`}>
                  <td className="mono break">{code}</td>
                  <td className="soft break">{route}</td>
                  <td className="end">{number(count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
