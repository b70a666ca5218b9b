import { useSyncStatus } from '@godwit/react'
import { useState } from 'react'
import { device } from '../device.js'
import { About } from '../parts/about.js'
import { NetworkSwitch, useIsOffline } from '../parts/network-switch.js'
import { ProviderSignIn } from '../parts/provider-sign-in.js'
import { isServerFailure } from '../parts/server-failure.js'
import { type Unsent, UnsentChanges } from '../parts/unsent-changes.js'
import { Wordmark } from '../parts/wordmark.js'
import { forgetTokens, signInAtProvider } from '../sign-in/demo-provider.js'

const PEOPLE = ['ada', 'grace', 'linus']

const OFFLINE_TEXT = 'The network is turned off. Turn it on to sign in. Everything else works without it.'

/** What kept somebody out, and what helps. */
function textOf(error: unknown, name: string): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string }
  if (code === 'invalid_credentials') return `Wrong password. In this demo, the password of ${name} is “${name}”.`
  if (code === 'offline') return 'The server cannot be reached. It is needed only to sign in.'
  if (isServerFailure(code)) return 'The server has a problem. No data is lost. Try again in a moment.'
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

  const [unsent, setUnsent] = useState<Unsent>()
  const [isByProvider, setByProvider] = useState(false)

  function choose(person: string): void {
    setName(person)
    setPassword(person)
    setUnsent(undefined)
    setByProvider(false)
  }
  const showFailure = (error: unknown): void => setFailure(isOffline ? OFFLINE_TEXT : textOf(error, name))
  async function attempt(login: () => Promise<void>): Promise<void> {
    setBusy(true)
    setFailure(undefined)
    try {
      await login()
    } catch (error) {
      const { code, details } = error as { readonly code?: string; readonly details?: unknown }
      if (code === 'unsent_changes') setUnsent(details as Unsent)
      else showFailure(error)
      setBusy(false)
    }
  }
  async function signIn(login: string, secret: string, discard = false): Promise<void> {
    forgetTokens()
    await attempt(() => device.login(login, secret, { discard }))
  }
  async function signInByProvider(discard = false): Promise<void> {
    setByProvider(true)
    await attempt(() => device.login({ discard }))
  }

  return (
    <main className="centre">
      <form
        className="card sign-in"
        onSubmit={event => {
          event.preventDefault()
          void signIn(name, password)
        }}
      >
        <div className="card-top">
          <Wordmark />
          {showsSwitch && <NetworkSwitch />}
        </div>
        <header>
          <h1>Works with or without a network</h1>
          <p className="quiet">135,233 cities and your visits, in a database on this device.</p>
        </header>
        {waiting > 0 && (
          <p className="waits" role="status">
            {waiting} unsent {waiting === 1 ? 'change' : 'changes'} by {userName} {waiting === 1 ? 'stays' : 'stay'} on
            this device until {userName} signs in again.
          </p>
        )}
        <fieldset className="people">
          <legend>Who are you?</legend>
          {PEOPLE.map(person => (
            <button key={person} type="button" aria-pressed={person === name} onClick={() => choose(person)}>
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
        {unsent && (
          <UnsentChanges
            unsent={unsent}
            next={isByProvider ? 'this account' : name}
            onReturn={() => {
              if (!PEOPLE.includes(unsent.login)) return void signInAtProvider().catch(showFailure)
              choose(unsent.login)
              void signIn(unsent.login, unsent.login)
            }}
            onDiscard={() => void (isByProvider ? signInByProvider(true) : signIn(name, password, true))}
          />
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
        <ProviderSignIn isBusy={isBusy} onReturn={() => void signInByProvider()} onFailure={showFailure} />
        <About />
      </form>
    </main>
  )
}
