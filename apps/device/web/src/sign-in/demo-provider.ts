/** What the page keeps of a sign-in at the demo provider. */
interface KeptTokens {
  readonly issuer: string
  readonly token: string
  /** Used once: each renewal brings the next. */
  readonly refreshToken: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

interface StartedSignIn {
  readonly issuer: string
  readonly state: string
  readonly verifier: string
}

const KEPT = 'demo provider tokens'
const STARTED = 'demo provider sign-in'
const CLIENT = 'field-visits'
/** Milliseconds before its end when a token is renewed. */
const MARGIN = 120_000

/** Returns the issuer of the demo provider that the server accepts; undefined if it has none. */
export async function findDemoProvider(): Promise<string | undefined> {
  const answer = await fetch('/rc/v1/system/session/providers')
  const providers = (await answer.json()) as readonly { readonly issuer: string; readonly label: string }[]
  return providers.find(({ label }) => label === 'the demo provider')?.issuer
}

/** Signs in at the demo provider, if there is one. */
export async function signInAtProvider(): Promise<void> {
  const issuer = await findDemoProvider()
  if (issuer !== undefined) await beginSignIn(issuer)
}

/** Leaves the page for the provider, which leads back with a code: authorization code flow with PKCE. */
export async function beginSignIn(issuer: string): Promise<void> {
  const started: StartedSignIn = { issuer, state: randomText(), verifier: randomText() }
  sessionStorage.setItem(STARTED, JSON.stringify(started))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(started.verifier))
  const parameters = new URLSearchParams({
    client_id: CLIENT,
    redirect_uri: pageAddress(),
    response_type: 'code',
    scope: 'openid email',
    state: started.state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  })
  location.assign(`${issuer}/authorize?${parameters}`)
}

/** Takes the code that the provider led back with out of the address, and keeps its tokens. Returns false without one that this tab began. */
export async function finishSignIn(): Promise<boolean> {
  const parameters = new URLSearchParams(location.search)
  const code = parameters.get('code')
  const text = sessionStorage.getItem(STARTED)
  if (code === null || text === null) return false
  history.replaceState(null, '', pageAddress())
  sessionStorage.removeItem(STARTED)
  const { issuer, state, verifier } = JSON.parse(text) as StartedSignIn
  if (parameters.get('state') !== state) return false
  await keepTokens(issuer, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: pageAddress(),
    code_verifier: verifier,
  })
  return true
}

/** Returns a token for the sync server, renewed if it ends soon; undefined if no user is signed in at the provider. */
export function accessToken(): Promise<string | undefined> {
  // One tab at a time, since a refresh token is used once.
  return navigator.locks.request(KEPT, async () => {
    const kept = keptTokens()
    if (kept === undefined || kept.expiresAt - Date.now() > MARGIN) return kept?.token
    return keepTokens(kept.issuer, { grant_type: 'refresh_token', refresh_token: kept.refreshToken })
  })
}

/** Forgets the tokens, when the user signs out or another one signs in. */
export const forgetTokens = (): void => localStorage.removeItem(KEPT)

function keptTokens(): KeptTokens | undefined {
  const text = localStorage.getItem(KEPT)
  return text === null ? undefined : (JSON.parse(text) as KeptTokens)
}

interface TokenAnswer {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
}

/** Requests tokens and keeps them. Resolves to undefined, and forgets the present ones, if the provider refuses. */
async function keepTokens(issuer: string, grant: { readonly [name: string]: string }): Promise<string | undefined> {
  const body = new URLSearchParams({ client_id: CLIENT, ...grant })
  const answer = await fetch(`${issuer}/token`, { method: 'POST', body })
  if (!answer.ok) {
    forgetTokens()
    return undefined
  }
  const { access_token: token, refresh_token: refreshToken, expires_in: seconds } = (await answer.json()) as TokenAnswer
  const kept: KeptTokens = { issuer, token, refreshToken, expiresAt: Date.now() + 1000 * seconds }
  localStorage.setItem(KEPT, JSON.stringify(kept))
  return token
}

const pageAddress = (): string => location.origin + location.pathname

const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)))

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
