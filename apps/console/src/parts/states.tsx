import { type ReactNode, useEffect, useRef } from 'react'
import { codeOf, isPassing, isSignedOut, messageOf } from '../api.js'
import { Icon, type IconName } from './icon.js'

interface StateProps {
  readonly icon?: IconName
  readonly title: string
  readonly says?: ReactNode
  readonly children?: ReactNode
}

/** The empty state of a page or list. */
export const EmptyState = ({ icon = 'empty', title, says, children }: StateProps): ReactNode => (
  <div className="state">
    <Icon name={icon} />
    <h2>{title}</h2>
    {says !== undefined && <p className="break">{says}</p>}
    {children !== undefined && <div className="buttons">{children}</div>}
  </div>
)

export const Loading = ({ what }: { readonly what: string }): ReactNode => (
  <div className="state late" role="status">
    <div className="spinner" />
    <p>Loading {what}…</p>
  </div>
)

export const NoRights = ({ role }: { readonly role: string }): ReactNode => (
  <EmptyState
    icon="lock"
    title="No access"
    says={`The role ${role} has no access to this page. Ask an admin for another role, or sign in as another user.`}
  />
)

interface ErrorProps {
  readonly error: unknown
  /** True while a retry is running. */
  readonly busy?: boolean
  readonly retry: () => void
}

/** Milliseconds between automatic retries. */
const RETRY_INTERVAL = 3000

/** Retries while the error is one that passes by itself, such as a server that is down, and the page is visible. */
function useRetry({ error, busy = false, retry }: ErrorProps): boolean {
  const latest = useRef({ busy, retry })
  latest.current = { busy, retry }
  const passes = isPassing(error)
  useEffect(() => {
    if (!passes) return
    const attempt = (): void => {
      const { busy, retry } = latest.current
      if (!busy && document.visibilityState === 'visible' && !isSignedOut()) retry()
    }
    const timer = setInterval(attempt, RETRY_INTERVAL)
    addEventListener('online', attempt)
    return () => {
      clearInterval(timer)
      removeEventListener('online', attempt)
    }
  }, [passes])
  return passes
}

const ERROR_TITLES: { readonly [code: string]: string } = {
  offline: 'The server does not respond',
  role_insufficient: 'No access',
}

export function ErrorState({ error, busy = false, retry }: ErrorProps): ReactNode {
  const code = codeOf(error) ?? ''
  const isRetried = useRetry({ error, busy, retry })
  const title = ERROR_TITLES[code] ?? 'Something went wrong'
  return (
    <div role="alert">
      <EmptyState
        icon={code === 'role_insufficient' ? 'lock' : 'warning'}
        title={title}
        says={
          <>
            {messageOf(error)}
            {isRetried && <span className="line">Trying again every few seconds.</span>}
          </>
        }
      >
        <button type="button" className="button" onClick={retry} aria-busy={busy}>
          Try again
        </button>
      </EmptyState>
    </div>
  )
}

/** A notice that the content shown is out of date. */
export function StaleNotice({ error, busy = false, retry }: ErrorProps): ReactNode {
  useRetry({ error, busy, retry })
  return (
    <div className="alert bad" role="alert">
      <Icon name="warning" />
      <span className="break">Out of date: {messageOf(error)}</span>
      <button type="button" className="button" onClick={retry} aria-busy={busy}>
        Try again
      </button>
    </div>
  )
}

interface AnswerProps<T> {
  readonly query: { readonly data?: T; readonly error?: unknown; readonly busy: boolean; readonly reload: () => void }
  readonly what: string
  readonly children: (data: T) => ReactNode
}

/** Shows the data of a query, or its error. If a reload fails, earlier data stays, with a notice above it. */
export function QueryContent<T>({ query, what, children }: AnswerProps<T>): ReactNode {
  const { data, error, busy, reload } = query
  if (data === undefined)
    return error === undefined ? <Loading what={what} /> : <ErrorState error={error} busy={busy} retry={reload} />
  return (
    <>
      {error !== undefined && <StaleNotice error={error} busy={busy} retry={reload} />}
      {children(data)}
    </>
  )
}
