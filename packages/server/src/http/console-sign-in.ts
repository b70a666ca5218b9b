import { CONSOLE_COOKIE, isSyncError, SyncError } from '@godwit/protocol'
import type { ConsoleSignIn, TokenVerifier } from '@godwit/source'
import { signInByProvider } from '../accounts/access/sign-in-by-provider.js'
import { reportLogin } from '../admin/watch/report-login.js'
import { bare } from './bare.js'
import { cookieOf, cookieText } from './cookie-text.js'
import type { EdgeContext } from './edge.js'
import type { HttpEngine } from './http-engine.js'
import type { HttpReply, HttpRequest } from './http-request.js'
import { problemReply } from './problem.js'
import { readQuery } from './query-string.js'
import { jsonReply } from './reply.js'

const BASE = '/rc/v1/system/session'
const CALLBACK = `${BASE}/callback`
/** Keeps a started sign-in in the browser that started it. */
const COOKIE = 'sync_sign_in'
/** Seconds until a started sign-in ends. */
const SIGN_IN_LIFE = 600

/**
 * Answers the pages of the console's sign-in with an identity provider: the list of providers, the start, and the callback. They are for a browser that
 * is led from page to page, so they redirect and are no routes of the API. Undefined for any other path.
 */
export function consoleSignInReply({ engine }: EdgeContext, call: HttpRequest): Promise<HttpReply> | undefined {
  if (call.method !== 'GET') return undefined
  switch (bare(call.path)) {
    case `${BASE}/providers`:
      return Promise.resolve(jsonReply(flowsOf(engine).map(([{ issuer }, { label }]) => ({ issuer, label }))))
    case `${BASE}/begin`:
      return begin(engine, call).catch(error => failed(engine, call, error))
    case CALLBACK:
      return finish(engine, call).catch(error => failed(engine, call, error))
    default:
      return undefined
  }
}

/** A started sign-in, as its cookie keeps it. */
interface StartedSignIn {
  readonly issuer: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
}

async function begin(engine: HttpEngine, call: HttpRequest): Promise<HttpReply> {
  const { issuer } = readQuery(call.search)
  const flow = flowOf(engine, issuer)
  const redirectUri = `${call.secure ? 'https' : 'http'}://${call.headers['host']}${CALLBACK}`
  const { url, state, nonce, verifier } = await flow.begin(redirectUri)
  const started: StartedSignIn = { issuer: issuer ?? '', state, nonce, verifier, redirectUri }
  return redirect(url, [signInCookie(call, Buffer.from(JSON.stringify(started)).toString('base64url'), SIGN_IN_LIFE)])
}

async function finish(engine: HttpEngine, call: HttpRequest): Promise<HttpReply> {
  const { code, state, iss, error } = readQuery(call.search)
  const started = startedOf(call)
  if (started === undefined || state === undefined || state !== started.state)
    throw new SyncError('token_invalid', 'This sign-in was not started in this browser, or took too long. Start again.')
  if (iss !== undefined && iss !== started.issuer)
    throw new SyncError('token_invalid', 'The answer is of another identity provider. Start again.')
  if (code === undefined)
    throw new SyncError(
      'invalid_credentials',
      `The identity provider refused the sign-in (${String(error).slice(0, 60)}). Try again.`,
    )
  const flow = flowOf(engine, started.issuer)
  const { user, given } = await reportLogin(engine, { login: '', api: true }, async () => {
    const signedIn = await signInByProvider(engine, { flow, address: call.address, code, ...started })
    return { ...signedIn, login: signedIn.user.login, role: signedIn.user.role }
  })
  await engine.auditor.record({
    time: new Date(engine.clock()).toISOString(),
    login: user.login,
    role: null,
    action: 'system.signIn',
    about: { issuer: started.issuer },
    address: call.address,
    result: 'ok',
  })
  const seconds = Math.ceil((given.expiresAt - engine.clock()) / 1000)
  const cookie = cookieText(CONSOLE_COOKIE, given.secret, { seconds, secure: call.secure, sameSite: 'Strict' })
  return redirect('/console/', [cookie, signInCookie(call, '', 0)])
}

/** Leads back to the console, which shows the code. */
function failed(engine: HttpEngine, call: HttpRequest, error: unknown): HttpReply {
  const reply = problemReply(error, engine)
  if (!isSyncError(error)) return reply
  engine.log.info({ code: error.code, error: error.message }, 'a sign-in to the console failed')
  return redirect(`/console/?sign-in=${error.code}`, [signInCookie(call, '', 0)])
}

const redirect = (location: string, cookies: readonly string[]): HttpReply => ({
  status: 302,
  headers: { location, 'set-cookie': cookies, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  body: '',
})

/** Lax, since the provider leads the browser back here. */
const signInCookie = ({ secure }: HttpRequest, value: string, seconds: number): string =>
  cookieText(COOKIE, value, { seconds, secure, sameSite: 'Lax' })

function startedOf({ headers }: HttpRequest): StartedSignIn | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(cookieOf(headers['cookie'], COOKIE) ?? '', 'base64url').toString())
    return typeof value === 'object' && value !== null ? (value as StartedSignIn) : undefined
  } catch {
    return undefined
  }
}

const flowsOf = ({ acceptedLogins: { tokens } }: HttpEngine): readonly (readonly [TokenVerifier, ConsoleSignIn])[] =>
  tokens.flatMap(verifier => (verifier.console ? [[verifier, verifier.console] as const] : []))

function flowOf(engine: HttpEngine, issuer: string | undefined): ConsoleSignIn {
  const [, flow] = flowsOf(engine).find(([one]) => one.issuer === issuer) ?? []
  if (flow) return flow
  throw new SyncError('value_not_allowed', 'issuer: expected one that the console offers, got another.')
}
