import type { User } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { useConfirm } from '../../parts/confirm.js'
import { useAction } from '../../parts/notices.js'
import { useSession } from '../../session.js'

interface AccessProps extends Pick<User, 'login' | 'role' | 'locked'> {
  readonly changed: () => void
}

/** Ends a user's sessions, and locks or unlocks the user. */
export function Access({ login, role, locked, changed }: AccessProps): ReactNode {
  const { may, session } = useSession()
  const confirm = useConfirm()
  const perform = useAction()
  const signOut = async (): Promise<void> => {
    const says =
      role === 'device'
        ? 'Every device asks for the password before its next sync. Devices keep their data, including unsent changes.'
        : 'Programs and consoles that use a token of this user must log in again.'
    if (
      !(await confirm({ title: `Sign ${login} out everywhere?`, says, undo: 'never', action: 'Sign out everywhere' }))
    )
      return
    await perform(() => admin.users.endSessions(login), `Signed ${login} out everywhere.`)
  }
  const lock = async (): Promise<void> => {
    const says = 'All sessions end, and logins fail until you unlock the user. Devices keep their data.'
    if (!(await confirm({ title: `Lock ${login}?`, says, undo: 'offered', action: `Lock ${login}` }))) return
    const undo = (): void => void perform(unlock, `${login} can log in again.`).then(changed)
    if (await perform(lockOut, `${login} is locked.`, { undo })) changed()
  }
  const lockOut = () => admin.users.update(login, { locked: true })
  const unlock = () => admin.users.update(login, { locked: false })
  const letIn = async (): Promise<void> => {
    const says = 'The user can log in with the password again.'
    if (!(await confirm({ title: `Unlock ${login}?`, says, undo: 'offered', action: `Unlock ${login}` }))) return
    const undo = (): void => void perform(lockOut, `${login} is locked.`).then(changed)
    if (await perform(unlock, `${login} can log in again.`, { undo })) changed()
  }
  const mayLock = may('users.create') && login !== session.login
  if (!mayLock && !may('users.endSessions')) return null
  return (
    <div className="buttons">
      {may('users.endSessions') && (role === 'device' || may('users.create')) && (
        <button type="button" className="button" onClick={signOut}>
          Sign out everywhere…
        </button>
      )}
      {mayLock && (
        <button type="button" className="button" onClick={locked ? letIn : lock}>
          {locked ? `Unlock ${login}…` : 'Lock…'}
        </button>
      )}
    </div>
  )
}
