import { type FormEvent, type ReactNode, useState } from 'react'
import { admin } from '../../api.js'
import { Ago } from '../../parts/ago.js'
import { Badge } from '../../parts/badge.js'
import { useConfirm } from '../../parts/confirm.js'
import { Drawer } from '../../parts/drawer.js'
import { Text } from '../../parts/field.js'
import { fieldErrorsOf } from '../../parts/field-errors.js'
import { number } from '../../parts/format.js'
import { useAction } from '../../parts/notices.js'
import { QueryContent } from '../../parts/states.js'
import { linkTo } from '../../routes.js'
import { useSession } from '../../session.js'
import { useQuery } from '../../use-query.js'
import { Access } from './access.js'
import { UserAttributes } from './user-attributes.js'
import { Devices } from './user-devices.js'
import { UserSessions } from './user-sessions.js'

interface UserDrawerProps {
  readonly login: string
  readonly close: (isGone: boolean) => void
  readonly changed: () => void
}

/** Details of one user: attributes, devices, password and deletion. */
export function UserDrawer({ login, close, changed }: UserDrawerProps): ReactNode {
  const { may, session } = useSession()
  const confirm = useConfirm()
  const perform = useAction()
  const user = useQuery(`user ${login}`, options => admin.users.get(login, options))
  const remove = async (devices: number): Promise<void> => {
    const yes = await confirm({
      title: `Delete ${login}?`,
      says: `${number(devices)} ${devices === 1 ? 'device' : 'devices'}, all sessions, and the data of this user alone are deleted immediately. Unsent changes on a device are lost at its next login.`,
      undo: 'never',
      action: `Delete ${login}`,
      danger: true,
    })
    if (yes && (await perform(() => admin.users.delete(login), `Deleted ${login}.`))) close(true)
  }
  const reloadUser = (): void => {
    user.reload()
    changed()
  }
  return (
    <Drawer title={login} close={() => close(false)}>
      <QueryContent query={user} what={login}>
        {({ role, locked, attributes, clients, created_at }) => (
          <>
            <dl className="facts">
              <dt>Role</dt>
              <dd>
                <Badge tone="accent">{role}</Badge> {locked && <Badge tone="warn">locked</Badge>}
              </dd>
              <dt>Created</dt>
              <dd>
                <Ago time={created_at} />
              </dd>
              <dt>Devices</dt>
              <dd className="number">{number(clients)}</dd>
            </dl>
            <UserAttributes login={login} attributes={attributes} changed={reloadUser} />
            {role === 'device' && <Devices login={login} />}
            {role === 'device' && <UserSessions login={login} />}
            {role === 'device' && may('sources.all') && <Copies login={login} />}
            {role === 'device' && (
              <div className="buttons">
                <a className="button" href={linkTo('explain', { user: login })}>
                  Why is something missing?
                </a>
              </div>
            )}
            <Access login={login} role={role} locked={locked} changed={reloadUser} />
            {may('users.create') && <Password login={login} />}
            {may('users.delete') && login !== session.login && (
              <div className="buttons">
                <button type="button" className="button" onClick={() => remove(clients)}>
                  Delete {login}…
                </button>
              </div>
            )}
          </>
        )}
      </QueryContent>
    </Drawer>
  )
}

/** The sources with a separate partition for the user, each linked to its state. */
function Copies({ login }: { readonly login: string }): ReactNode {
  const sources = useQuery('sources', options => admin.sources.all(options))
  return (
    <section className="stack tight">
      <h3>Partitions</h3>
      <QueryContent query={sources} what="the sources">
        {all => {
          const own = all.filter(one => one.partition_type !== 'app')
          if (own.length === 0) return <p className="soft">All users share one partition of each source.</p>
          return (
            <div className="buttons">
              {own.map(({ name }) => (
                <a key={name} className="button" href={linkTo('sources', { open: name, user: login })}>
                  {name}
                </a>
              ))}
            </div>
          )
        }}
      </QueryContent>
    </section>
  )
}

function Password({ login }: { readonly login: string }): ReactNode {
  const [password, setPassword] = useState('')
  const [rejected, setRejected] = useState<string>()
  const confirm = useConfirm()
  const perform = useAction()
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const says = 'All sessions and tokens of this user end. Devices keep their data and ask for the new password.'
    if (!(await confirm({ title: `Set a new password for ${login}?`, says, undo: 'never', action: 'Set password' })))
      return
    const act = () => admin.users.update(login, { attributes: { password } })
    const failed = (error: unknown): void => setRejected(fieldErrorsOf(error)['password'])
    if (await perform(act, `Changed the password of ${login}.`, { failed })) setPassword('')
  }
  return (
    <form className="stack tight" onSubmit={submit}>
      <Text
        label="New password"
        type="password"
        autoComplete="new-password"
        value={password}
        error={rejected}
        onChange={event => {
          setPassword(event.target.value)
          setRejected(undefined)
        }}
      />
      <div className="buttons">
        <button type="submit" className="button" disabled={password === ''}>
          Set password…
        </button>
      </div>
    </form>
  )
}
