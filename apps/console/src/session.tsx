import type { AdminSession } from '@godwit/admin-client'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { admin, codeOf, onSignedOut } from './api.js'
import { may, type RouteName } from './routes.js'
import { cache } from './use-query.js'

interface SignedIn {
  readonly session: AdminSession
  /** Whether the role may call a route. */
  readonly may: (name: RouteName) => boolean
  readonly signOut: () => Promise<void>
}

const Context = createContext<SignedIn | undefined>(undefined)

/** Asked before anything is drawn, beside the loading of the page. */
const first = admin.system.session().catch((error: unknown) => error)

interface SessionProps {
  /** Shown until it is known who is there. */
  readonly waiting: ReactNode
  /** `isEnded`: there was a session, which the server no longer knows. */
  readonly signIn: (entered: (session: AdminSession) => void, isEnded: boolean) => ReactNode
  readonly failed: (error: unknown) => ReactNode
  readonly children: ReactNode
}

/** Shows its children to those who are signed in. */
export function Session({ waiting, signIn, failed, children }: SessionProps): ReactNode {
  const [state, setState] = useState<AdminSession | 'none' | 'ended' | 'waiting' | { readonly error: unknown }>(
    'waiting',
  )
  useEffect(() => {
    first.then(answer => {
      if (!(answer instanceof Error)) return setState(answer as AdminSession)
      const code = codeOf(answer) ?? ''
      setState(code.startsWith('token_') ? 'none' : { error: answer })
    })
    return onSignedOut(() => setState(now => (typeof now === 'object' && !('error' in now) ? 'ended' : now)))
  }, [])
  const enter = useCallback((session: AdminSession) => {
    cache.clear()
    setState(session)
  }, [])
  const signOut = useCallback(async () => {
    await admin.system.signOut().catch(() => {})
    cache.clear()
    setState('none')
  }, [])
  const value = useMemo(() => {
    if (typeof state === 'string' || 'error' in state) return undefined
    return { session: state, may: (name: RouteName) => may(state.role, name), signOut }
  }, [state, signOut])
  if (state === 'waiting') return waiting
  if (state === 'none' || state === 'ended') return signIn(enter, state === 'ended')
  if ('error' in state) return failed(state.error)
  return <Context value={value}>{children}</Context>
}

export function useSession(): SignedIn {
  const value = useContext(Context)
  if (!value) throw new Error('expected a signed-in user, got none. Render it inside Session.')
  return value
}
