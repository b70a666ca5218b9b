import { useState } from 'react'

/** Whose changes on this device are unsent, and how many. */
export interface Unsent {
  readonly login: string
  readonly count: number
}

interface UnsentChangesProps {
  readonly unsent: Unsent
  /** Who wants to sign in. */
  readonly next: string
  readonly onReturn: () => void
  readonly onDiscard: () => void
}

/** Another user's unsent changes are in the way of a sign-in: they are sent, or discarded after a second look. */
export function UnsentChanges({ unsent: { login, count }, next, onReturn, onDiscard }: UnsentChangesProps) {
  const [isSure, setSure] = useState(false)
  const changes = count === 1 ? '1 change' : `${count} changes`
  return (
    <div className="unsent" role="alert">
      <p>
        {isSure
          ? `Discard ${changes} by ${login}? This cannot be undone.`
          : `This device has ${count} unsent ${count === 1 ? 'change' : 'changes'} by ${login}.`}
      </p>
      {isSure ? (
        <>
          <button type="button" onClick={() => setSure(false)}>
            Keep
          </button>
          <button type="button" onClick={onDiscard}>
            Discard and sign in as {next}
          </button>
        </>
      ) : (
        <>
          <button type="button" onClick={onReturn}>
            Sign in as {login} to send {count === 1 ? 'it' : 'them'}
          </button>
          <button type="button" onClick={() => setSure(true)}>
            Discard {login}'s {changes}…
          </button>
        </>
      )}
    </div>
  )
}
