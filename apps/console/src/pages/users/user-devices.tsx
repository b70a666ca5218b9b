import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Ago } from '../../parts/ago.js'
import { DeviceLink } from '../../parts/device-name.js'
import { QueryContent } from '../../parts/states.js'
import { linkTo } from '../../routes.js'
import { useQuery } from '../../use-query.js'

const MAX_DEVICES = 20

/** A user's devices, each linked to its page. */
export function Devices({ login }: { readonly login: string }): ReactNode {
  const devices = useQuery(`devices of ${login}`, options =>
    admin.clients.page({ user: login, limit: MAX_DEVICES, ...options }),
  )
  return (
    <section className="stack tight">
      <h3>Devices</h3>
      <QueryContent query={devices} what="the devices">
        {found =>
          found.length === 0 ? (
            <p className="soft">No device has logged in as {login}.</p>
          ) : (
            <ul className="stack tight">
              {found.map(device => (
                <li key={device.client_id} className="beside">
                  <DeviceLink device={device} href={linkTo('devices', { user: login, open: device.client_id })} />
                  <span className="soft">
                    <Ago time={device.last_sync} />
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
