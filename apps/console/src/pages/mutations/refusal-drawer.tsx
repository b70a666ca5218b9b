import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Ago } from '../../parts/ago.js'
import { Badge } from '../../parts/badge.js'
import { Drawer } from '../../parts/drawer.js'
import { Icon } from '../../parts/icon.js'
import { Answer } from '../../parts/states.js'
import { linkTo } from '../../routes.js'
import { useSession } from '../../session.js'
import { useQuery } from '../../use-query.js'
import { Notice } from './notice.js'
import { Wanted } from './wanted.js'

/** A change that was not applied: what its device wanted, and what was said. */
export function RefusalDrawer({ id, close }: { readonly id: string; readonly close: () => void }): ReactNode {
  const { may } = useSession()
  const refusal = useQuery(`refusal ${id}`, options => admin.operations.refusal(id, options))
  const { data } = refusal
  return (
    <Drawer title={data ? `${data.operation} ${data.source} ${data.object}` : 'Refused mutation'} close={close}>
      <Answer query={refusal} what="the mutation">
        {one => (
          <>
            <p className="alert bad">
              <Icon name="warning" />
              <span className="break">
                {one.error.message} <span className="mono">({one.error.code})</span>
              </span>
            </p>
            <dl className="facts">
              <dt>Ended as</dt>
              <dd>
                <Badge tone="bad">{one.status.replaceAll('_', ' ')}</Badge>
              </dd>
              <dt>When</dt>
              <dd>
                <Ago time={one.refused_at} />
              </dd>
              <dt>User</dt>
              <dd>
                <a href={linkTo('users', { open: one.user })}>{one.user}</a>
              </dd>
              <dt>Device</dt>
              <dd className="mono break">
                <a href={linkTo('devices', { open: one.client })}>{one.client}</a>
              </dd>
            </dl>
            <Wanted mutation={one} />
            <p className="soft">It is decided: the device rolls it back, and its user can write it again.</p>
            <div className="buttons">
              <a
                className="button"
                href={linkTo('explain', { source: one.source, object: one.object, user: one.user })}
              >
                <Icon name="explain" />
                Is the object on a device?
              </a>
            </div>
            {may('users.ping') && <Notice user={one.user} source={one.source} />}
          </>
        )}
      </Answer>
    </Drawer>
  )
}
