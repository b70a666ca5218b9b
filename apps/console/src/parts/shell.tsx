import { type ReactNode, useEffect, useRef } from 'react'
import { pages } from '../pages.js'
import { linkTo, useLocation } from '../routes.js'
import { useSession } from '../session.js'
import { Bar } from './bar.js'
import { Icon } from './icon.js'
import { DocsLink, PageLink } from './page-link.js'

const GROUPS = ['data', 'people', 'server'] as const

/** The frame of a page, with navigation and the signed-in user: a column, a rail on tablets, a bottom bar on phones. */
export function Shell({ children }: { readonly children: ReactNode }): ReactNode {
  const { path } = useLocation()
  const { may, session, signOut } = useSession()
  const main = useRef<HTMLElement>(null)
  const allowed = pages.filter(({ needs }) => may(needs))
  const title = pages.find(one => one.path === path)?.title ?? 'Godwit'
  useEffect(() => {
    document.title = `${title} · Godwit`
    scrollTo(0, 0)
  }, [title])
  const skip = (event: { preventDefault(): void }): void => {
    event.preventDefault()
    main.current?.focus()
  }
  return (
    <div className="shell">
      <header className="shell-head">
        <a className="skip" href={linkTo(path)} onClick={skip}>
          Skip to the page
        </a>
        <div className="side">
          <div className="brand">
            <img src="./icon.svg" alt="" />
            <span>Godwit</span>
          </div>
          <nav aria-label="Pages">
            {GROUPS.map(group => (
              <div key={group} className="side-group">
                {allowed
                  .filter(one => one.group === group)
                  .map(one => (
                    <PageLink key={one.path} page={one} here={path} />
                  ))}
                {group === 'server' && <DocsLink />}
              </div>
            ))}
          </nav>
          <div className="who">
            <span className="avatar" aria-hidden="true">
              {session.login.slice(0, 1)}
            </span>
            <div className="who-text">
              <div className="cut">{session.login}</div>
              <div className="soft small">{session.role}</div>
            </div>
            <button
              type="button"
              className="button plain icon-only"
              title={`Sign out ${session.login}`}
              aria-label={`Sign out ${session.login}`}
              onClick={signOut}
            >
              <Icon name="out" />
            </button>
          </div>
        </div>
      </header>
      <main className="main" id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
      <Bar allowed={allowed} here={path} />
    </div>
  )
}
