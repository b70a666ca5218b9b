import { useSyncStatus } from '@godwit/react'
import { useRef } from 'react'
import { device } from '../device.js'
import { forgetTokens } from '../sign-in/demo-provider.js'

/** Signs out. While changes are unsent, it says first what becomes of them. */
export function SignOut() {
  const { userName, waiting } = useSyncStatus()
  const dialog = useRef<HTMLDialogElement>(null)
  const signOut = (): void => {
    forgetTokens()
    void device.logout().catch(() => undefined)
  }
  return (
    <>
      <button
        type="button"
        className="plain"
        onClick={() => (waiting > 0 ? dialog.current?.showModal() : signOut())}
        title={`Signed in as ${userName}`}
      >
        Sign out<span className="wide person"> {userName}</span>
      </button>
      <dialog ref={dialog} className="editor" aria-labelledby="sign-out-title">
        <form method="dialog">
          <h2 id="sign-out-title">{waiting === 1 ? '1 unsent change' : `${waiting} unsent changes`}</h2>
          <p>
            If you sign out now, {waiting === 1 ? 'it stays' : 'they stay'} on this device until{' '}
            <span className="person">{userName}</span> signs in again.
          </p>
          <div className="actions">
            <button type="submit">Stay signed in</button>
            <button type="button" className="primary" onClick={signOut}>
              Sign out anyway
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}
