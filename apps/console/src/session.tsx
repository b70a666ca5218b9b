import type { AdminSession } from '@godwit/admin-client'
import {
  createContext,
  Fragment,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { admin, codeOf, onSignedOut, signedIn } from './api.js'
import { SignInAgain } from './parts/sign-in-again.js'
import { mayCallRoute, type RouteName } from './routes.js'
import { cache } from './use-query.js'

interface SessionContext {
  readonly session: AdminSession
  /** True if the role may call the route. */
  readonly may: (name: RouteName) => boolean
  readonly signOut: () => Promise<void>
}

const Context = createContext<SessionContext | undefined>(undefined)

const readSession = (): Promise<SessionState> =>
  admin.system.session().catch((error: unknown) => (codeOf(error)?.startsWith('token_') ? 'none' : { error }))

/** Requested before the first render, in parallel with loading the page. */
const firstSession = readSession()

interface SessionProps {
  /** Shown until the session is known. */
  readonly waiting: ReactNode
  /** `isEnded`: a session existed, and the server has ended it. */
  readonly signIn: (entered: (session: AdminSession) => void, isEnded: boolean) => ReactNode
  readonly failed: (error: unknown, retry: () => void) => ReactNode
  readonly children: ReactNode
}

/** Renders its children for signed-in users. */
export function Session({ waiting, signIn, failed, children }: SessionProps): ReactNode {
  const [state, setState] = useState<SessionState>('waiting')
  const [isEnded, setEnded] = useState(false)
  const latest = useRef(state)
  latest.current = state
  useEffect(() => {
    void firstSession.then(setState)
    return onSignedOut(() => setEnded(sessionOf(latest.current) !== undefined))
  }, [])
  const retry = useCallback(
    () =>
      // A late failure does not replace the session that another attempt has found.
      void readSession().then(found => setState(now => (typeof now === 'object' && 'error' in now ? found : now))),
    [],
  )
  const enter = useCallback((session: AdminSession) => {
    const before = sessionOf(latest.current)
    const isSame = before?.login === session.login && before.role === session.role
    if (!isSame) cache.clear()
    setEnded(false)
    setState(session)
    signedIn(isSame)
  }, [])
  const signOut = useCallback(async () => {
    await admin.system.signOut().catch(() => {})
    cache.clear()
    setState('none')
  }, [])
  const value = useMemo(() => {
    if (typeof state === 'string' || 'error' in state) return undefined
    return { session: state, may: (name: RouteName) => mayCallRoute(state.role, name), signOut }
  }, [state, signOut])
  if (state === 'waiting') return waiting
  if (state === 'none') return signIn(enter, false)
  if ('error' in state) return failed(state.error, retry)
  // The key keeps the user's input after a session ended, and discards it when another user signs in.
  return (
    <Context value={value}>
      <Fragment key={`${value?.session.login} ${value?.session.role}`}>{children}</Fragment>
      {isEnded && <SignInAgain>{signIn(enter, true)}</SignInAgain>}
    </Context>
  )
}

type SessionState = AdminSession | 'none' | 'waiting' | { readonly error: unknown }

const sessionOf = (state: SessionState): AdminSession | undefined =>
  typeof state === 'object' && !('error' in state) ? state : undefined

export function useSession(): SessionContext {
  const value = useContext(Context)
  if (!value) throw new Error('expected a signed-in user, got none. Render it inside Session.')
  return value
}
