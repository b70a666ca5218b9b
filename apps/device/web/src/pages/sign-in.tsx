import { useSyncStatus } from '@godwit/react'
import { type FormEvent, useState } from 'react'
import { device } from '../device.js'
import { About } from '../parts/about.js'
import { NetworkSwitch, useIsOffline } from '../parts/network-switch.js'
import { isServerFailure } from '../parts/server-failure.js'
import { Wordmark } from '../parts/wordmark.js'

const PEOPLE = ['ada', 'grace', 'linus']

const OFFLINE_TEXT = 'The network is switched off. Switch it on to sign in; all the rest works without.'

/** What kept somebody out, and what helps. */
function textOf(error: unknown, name: string): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string }
  if (code === 'invalid_credentials') return `This is not the password of ${name}. In this demo it is “${name}”.`
  if (code === 'offline') return 'The server cannot be reached. Signing in needs it; all the rest works without.'
  if (isServerFailure(code)) return 'The server answers with an error. Nothing is lost: try again in a moment.'
  return message ?? String(error)
}

export function SignInPage() {
  const { userName, waiting } = useSyncStatus()
  const [name, setName] = useState('ada')
  const [password, setPassword] = useState('ada')
  // A user who signed out while switched off has to find the switch here.
  const isOffline = useIsOffline()
  const [showsSwitch] = useState(isOffline)
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function signIn(event: FormEvent): Promise<void> {
    event.preventDefault()
    setBusy(true)
    setFailure(undefined)
    try {
      await device.login(name, password)
    } catch (error) {
      setFailure(isOffline ? OFFLINE_TEXT : textOf(error, name))
      setBusy(false)
    }
  }

  return (
    <main className="centre">
      <form className="card sign-in" onSubmit={signIn}>
        <div className="card-top">
          <Wordmark />
          {showsSwitch && <NetworkSwitch />}
        </div>
        <header>
          <h1>Everything here, network or not</h1>
          <p className="quiet">135,233 cities and your visits, in a database on this device.</p>
        </header>
        {waiting > 0 && (
          <p className="waits" role="status">
            {waiting} {waiting === 1 ? 'change' : 'changes'} of {userName} {waiting === 1 ? 'waits' : 'wait'} on this
            device until {userName} signs in again.
          </p>
        )}
        <fieldset className="people">
          <legend>Who are you?</legend>
          {PEOPLE.map(person => (
            <button
              key={person}
              type="button"
              aria-pressed={person === name}
              onClick={() => {
                setName(person)
                setPassword(person)
              }}
            >
              {person}
            </button>
          ))}
        </fieldset>
        <input
          className="visually-hidden"
          tabIndex={-1}
          aria-hidden="true"
          autoComplete="username"
          readOnly
          value={name}
        />
        <label>
          Password
          <input
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={event => setPassword(event.target.value)}
          />
        </label>
        {failure !== undefined && (
          <p className="failure" role="alert">
            {failure}
          </p>
        )}
        <button type="submit" className="primary" disabled={isBusy}>
          {isBusy ? (
            'Signing in…'
          ) : (
            <span>
              Sign in as <span className="person">{name}</span>
            </span>
          )}
        </button>
        <About />
      </form>
    </main>
  )
}
