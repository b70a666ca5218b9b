import type { ReactNode } from 'react'
import { codeOf, messageOf } from '../api.js'
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
    <p>Loading {what} …</p>
  </div>
)

export const NoRights = ({ role }: { readonly role: string }): ReactNode => (
  <EmptyState
    icon="lock"
    title="Not for your role"
    says={`You are signed in as ${role}. Ask an admin for another role, or sign in as somebody else.`}
  />
)

const ERROR_TITLES: { readonly [code: string]: string } = {
  offline: 'The server does not answer',
  role_insufficient: 'Not for your role',
}

export function ErrorState({ error, retry }: { readonly error: unknown; readonly retry: () => void }): ReactNode {
  const code = codeOf(error) ?? ''
  const title = ERROR_TITLES[code] ?? 'That did not work'
  return (
    <div role="alert">
      <EmptyState icon={code === 'role_insufficient' ? 'lock' : 'warning'} title={title} says={messageOf(error)}>
        <button type="button" className="button" onClick={retry}>
          Try again
        </button>
      </EmptyState>
    </div>
  )
}

/** A notice that the content shown is out of date. */
export const StaleNotice = ({ error, retry }: { readonly error: unknown; readonly retry: () => void }): ReactNode => (
  <div className="alert bad" role="alert">
    <Icon name="warning" />
    <span className="break">What you see is old: {messageOf(error)}</span>
    <button type="button" className="button" onClick={retry}>
      Try again
    </button>
  </div>
)

interface AnswerProps<T> {
  readonly query: { readonly data?: T; readonly error?: unknown; readonly reload: () => void }
  readonly what: string
  readonly children: (data: T) => ReactNode
}

/** Shows the data of a query, or its error. If a reload fails, earlier data stays, with a notice above it. */
export function QueryContent<T>({ query, what, children }: AnswerProps<T>): ReactNode {
  const { data, error, reload } = query
  if (data === undefined)
    return error === undefined ? <Loading what={what} /> : <ErrorState error={error} retry={reload} />
  return (
    <>
      {error !== undefined && <StaleNotice error={error} retry={reload} />}
      {children(data)}
    </>
  )
}
