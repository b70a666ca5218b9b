import type { AdminSession } from '@godwit/admin-client'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { admin, codeOf, messageOf } from '../../api.js'
import { Text } from '../../parts/field.js'
import { messageOfFailedSignIn, readProviders, type SignInProvider, signInAddressOf } from './providers.js'

interface SignInProps {
  readonly entered: (session: AdminSession) => void
  /** True if a session ended; the page that was open is shown again after the sign-in. */
  readonly isEnded: boolean
}

/** The sign-in form of API users. Credentials are sent only to the server. */
export function SignIn({ entered, isEnded }: SignInProps): ReactNode {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState(messageOfFailedSignIn)
  const [providers, setProviders] = useState<readonly SignInProvider[]>([])
  useEffect(() => void readProviders().then(setProviders), [])
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    setBusy(true)
    setError('')
    try {
      entered(await admin.system.signIn({ login: String(given.get('login')), password: String(given.get('password')) }))
    } catch (cause) {
      setError(signInMessageOf(cause))
      setBusy(false)
    }
  }
  const Frame = isEnded ? 'div' : 'main'
  return (
    <Frame className="sign-in">
      <form className="card" onSubmit={submit}>
        <img src="./icon.svg" alt="" />
        <div>
          <h1>Godwit console</h1>
          <p className="soft">Sign in with the login of an admin, operator or reader.</p>
        </div>
        {isEnded && error === '' && (
          <p className="alert" role="alert">
            Your session has ended. Sign in again to continue: your input is kept.
          </p>
        )}
        {error !== '' && (
          <p className="alert bad" role="alert">
            {error}
          </p>
        )}
        <Text label="Login" name="login" autoComplete="username" autoCapitalize="none" autoFocus required />
        <Text label="Password" name="password" type="password" autoComplete="current-password" required />
        <button type="submit" className="button primary" disabled={busy}>
          {busy ? 'Signing in…' : 'Sign in'}
        </button>
        {providers.map(provider => (
          <a key={provider.issuer} className="button" href={signInAddressOf(provider)}>
            Sign in with {provider.label}
          </a>
        ))}
      </form>
    </Frame>
  )
}

function signInMessageOf(error: unknown): string {
  if (codeOf(error) === 'invalid_credentials') return 'Wrong login or password.'
  if (codeOf(error) === 'not_an_api_user') return 'This login is for devices only. Ask an admin for a console login.'
  return messageOf(error)
}
