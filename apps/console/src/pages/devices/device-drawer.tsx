import type { ClientInfo } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Ago } from '../../parts/ago.js'
import { Badge } from '../../parts/badge.js'
import { useConfirm } from '../../parts/confirm.js'
import { deviceName } from '../../parts/device-name.js'
import { Drawer } from '../../parts/drawer.js'
import { useAction } from '../../parts/notices.js'
import { pingSummary } from '../../parts/pinged.js'
import { QueryContent } from '../../parts/states.js'
import { linkTo } from '../../routes.js'
import { useSession } from '../../session.js'
import { useQuery } from '../../use-query.js'
import { Positions } from './positions.js'
import { pushCounts } from './push-counts.js'

interface DeviceDrawerProps {
  readonly id: string
  readonly close: (isGone: boolean) => void
}

/** Milliseconds. */
const MAX_AGE = 5000

/** Details of one device: its position in each source, and actions on it. */
export function DeviceDrawer({ id, close }: DeviceDrawerProps): ReactNode {
  const { may } = useSession()
  const confirm = useConfirm()
  const perform = useAction()
  const client = useQuery(`client ${id}`, options => admin.clients.get(id, options), { every: MAX_AGE })
  // A process knows only the event streams open to itself.
  const state = useQuery('state', options => admin.system.state(options))
  const notOpen = (state.data?.processes.length ?? 1) > 1 ? 'not open on the responding process' : 'not open'
  const ping = async ({ user }: ClientInfo): Promise<void> => {
    const says = `The device is asked to sync by a message in its event stream, or by a push message. Other devices of ${user} are not pinged.`
    if (await confirm({ title: 'Ping this device?', says, undo: 'never', action: 'Ping the device' }))
      await perform(() => admin.users.ping(user, { clients: id }), pingSummary)
  }
  const signOut = async ({ user }: ClientInfo): Promise<void> => {
    const says = `This device asks for the password of ${user} before its next sync, and keeps its data. Other devices of ${user} stay signed in, except one that shares its session.`
    if (!(await confirm({ title: 'Sign this device out?', says, undo: 'never', action: 'Sign the device out' }))) return
    if (await perform(() => admin.clients.endSession(id), 'Signed the device out.')) client.reload()
  }
  const reset = async ({ positions }: ClientInfo): Promise<void> => {
    const says = 'With its next sync, the device downloads every source from the beginning. Unsent changes are kept.'
    if (!(await confirm({ title: 'Reset this device?', says, undo: 'never', action: 'Reset' }))) return
    const act = () =>
      Promise.all(Object.keys(positions).map(source => admin.clients.writeDocument(id, source, 'cd', {})))
    if (await perform(act, 'The device will download everything again with its next sync.')) client.reload()
  }
  const remove = async ({ user }: ClientInfo): Promise<void> => {
    const says = `The server forgets the device. If it syncs again, it registers as a new device and downloads everything. ${user} is not deleted.`
    if (
      !(await confirm({ title: 'Delete the device?', says, undo: 'never', action: 'Delete the device', danger: true }))
    )
      return
    if (await perform(() => admin.users.deleteClient(user, id), 'Deleted the device.')) close(true)
  }
  return (
    <Drawer title={client.data ? deviceName(client.data) : 'Device'} detail={id} close={() => close(false)}>
      <QueryContent query={client} what="the device">
        {one => (
          <>
            <dl className="facts">
              <dt>User</dt>
              <dd>
                <a href={linkTo('users', { open: one.user })}>{one.user}</a>
              </dd>
              <dt>Last sync</dt>
              <dd>
                <Ago time={one.last_sync} />
              </dd>
              <dt>Created</dt>
              <dd>
                <Ago time={one.created_at} />
              </dd>
              <dt>App</dt>
              <dd>{[one.device_app_id, one.device_app_version].filter(Boolean).join(' ') || 'not reported'}</dd>
              <dt>Stream</dt>
              <dd>
                <Badge tone={one.listening ? 'good' : 'plain'} dot={one.listening}>
                  {one.listening ? 'open: notified of changes immediately' : notOpen}
                </Badge>
              </dd>
              <dt>Push</dt>
              <dd>
                {one.device_pin === null ? (
                  <Badge>no address</Badge>
                ) : (
                  <Badge tone="good">{one.device_push_type ?? one.device_type ?? 'registered'}</Badge>
                )}
              </dd>
              {one.push && (
                <>
                  <dt>Push messages</dt>
                  <dd>{pushCounts(one.push)}</dd>
                </>
              )}
            </dl>
            <Positions id={id} />
            <div className="buttons">
              <a className="button" href={linkTo('explain', { user: one.user, client: id })}>
                Why is something missing?
              </a>
              {may('users.ping') && (
                <button type="button" className="button" onClick={() => ping(one)}>
                  Ping…
                </button>
              )}
              {may('clients.endSession') && (
                <button type="button" className="button" onClick={() => signOut(one)}>
                  Sign out…
                </button>
              )}
              {may('clients.writeDocument') && (
                <button type="button" className="button" onClick={() => reset(one)}>
                  Reset…
                </button>
              )}
              {may('users.deleteClient') && (
                <button type="button" className="button" onClick={() => remove(one)}>
                  Delete…
                </button>
              )}
            </div>
          </>
        )}
      </QueryContent>
    </Drawer>
  )
}
