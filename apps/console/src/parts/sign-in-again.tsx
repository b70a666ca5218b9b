import { type ReactNode, useEffect, useRef } from 'react'

/** The sign-in above a page whose session has ended. The page stays as it was below, out of sight and out of reach. */
export function SignInAgain({ children }: { readonly children: ReactNode }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const show = (): void => dialog.current?.showModal()
  useEffect(show, [])
  return (
    <dialog
      ref={dialog}
      className="again"
      aria-label="Sign in again"
      onCancel={event => event.preventDefault()}
      onClose={show}
    >
      {children}
    </dialog>
  )
}
