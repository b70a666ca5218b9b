import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Ago } from '../../parts/ago.js'
import { QueryContent } from '../../parts/states.js'
import { linkTo } from '../../routes.js'
import { useQuery } from '../../use-query.js'

const MAX_DEVICES = 20

/** A user's devices, each linked to its page. */
export function Devices({ login }: { readonly login: string }): ReactNode {
  const clients = useQuery(`clients of ${login}`, options => admin.users.clients(login, options))
  return (
    <section className="stack tight">
      <h3>Devices</h3>
      <QueryContent query={clients} what="the devices">
        {ids =>
          ids.length === 0 ? (
            <p className="soft">No device has logged in as {login}.</p>
          ) : (
            <ul className="stack tight">
              {ids.slice(0, MAX_DEVICES).map(id => (
                <li key={id}>
                  <a className="mono break" href={linkTo('devices', { user: login, open: id })}>
                    {id}
                  </a>{' '}
                  <span className="soft">
                    <LastSync id={id} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryContent>
    </section>
  )
}

function LastSync({ id }: { readonly id: string }): ReactNode {
  const { data } = useQuery(`client ${id}`, options => admin.clients.get(id, options))
  return data ? <Ago time={data.last_sync} /> : null
}
