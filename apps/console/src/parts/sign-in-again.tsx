import { type ReactNode, useEffect, useRef } from 'react'

/** A sign-in form above a page whose session has ended. The page stays mounted, but hidden and inert. */
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
