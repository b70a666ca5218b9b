/** An identity provider with which operators sign in. */
export interface SignInProvider {
  readonly issuer: string
  /** Shown on its button. */
  readonly label: string
}

/** Of the server that serves this page, which may be mounted below a path. */
const addressOf = (path: string): URL => new URL(`../rc/v1/system/session/${path}`, document.baseURI)

/** Returns the providers that the server offers; none from a server without them, or of another version. */
export async function readProviders(): Promise<readonly SignInProvider[]> {
  try {
    const answer = await fetch(addressOf('providers'))
    const value: unknown = answer.ok ? await answer.json() : []
    return Array.isArray(value) ? (value as readonly SignInProvider[]) : []
  } catch {
    return []
  }
}

/** Returns where a sign-in with the provider starts; it ends on this page. */
export function signInAddressOf({ issuer }: SignInProvider): string {
  const url = addressOf('begin')
  url.searchParams.set('issuer', issuer)
  return url.href
}

const MESSAGES: { readonly [code: string]: string } = {
  not_an_api_user: 'The identity provider gives you no role here. Ask an admin.',
  user_locked: 'Your user is locked out. Ask an admin.',
  user_exists: 'Your login belongs to another user of this server. Ask an admin.',
  token_invalid: 'The sign-in took too long, or was started elsewhere. Try again.',
  invalid_credentials: 'The identity provider refused the sign-in.',
}

/** Returns what to say of a sign-in that has led back here without a session; '' if there was none. */
export function messageOfFailedSignIn(): string {
  const code = new URLSearchParams(location.search).get('sign-in')
  if (code === null) return ''
  return (
    MESSAGES[code] ??
    `The sign-in with the identity provider failed (${code.slice(0, 40)}). The server's log has the reason.`
  )
}
