import type { ServerState } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { number } from '../../parts/format.js'
import { linkTo } from '../../routes.js'

/** Background jobs by queue. Renders nothing if no queue was ever used. */
export const Queues = ({ queues }: { readonly queues: ServerState['queues'] }): ReactNode =>
  queues.length > 0 && (
    <section className="card" aria-label="Queues">
      <div className="card-head">
        <h2>Queues</h2>
      </div>
      <div className="card-body">
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">Queue</th>
              <th scope="col" className="end">
                Waiting
              </th>
              <th scope="col" className="end">
                Running
              </th>
              <th scope="col" className="end">
                Dead
              </th>
            </tr>
          </thead>
          <tbody>
            {queues.map(({ queue, waiting, running, dead }) => (
              <tr key={queue}>
                <td className="break">
                  <a href={linkTo('jobs', { queue })}>{queue}</a>
                </td>
                <td className="end">{number(waiting)}</td>
                <td className="end">{number(running)}</td>
                <td className="end">{number(dead)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
