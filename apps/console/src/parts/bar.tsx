import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { PageRoute } from '../pages.js'
import { linkTo, useLeave } from '../routes.js'
import { useSession } from '../session.js'
import { Icon } from './icon.js'
import { DocsLink, PageLink } from './page-link.js'

/** Maximum number of pages in the bar; the others are in the menu "More". */
const MAX_BAR_PAGES = 4

interface BarProps {
  readonly allowed: readonly PageRoute[]
  readonly here: string
}

/** The navigation on phones, at the bottom of the screen. */
export function Bar({ allowed, here }: BarProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const rest = allowed.slice(MAX_BAR_PAGES)
  return (
    <nav className="bottom" aria-label="Main pages">
      {allowed.slice(0, MAX_BAR_PAGES).map(({ path, title, icon }) => (
        <a key={path} href={linkTo(path)} aria-current={path === here ? 'page' : undefined}>
          <Icon name={icon} />
          {title}
        </a>
      ))}
      <button
        type="button"
        aria-current={rest.some(({ path }) => path === here) ? 'page' : undefined}
        onClick={() => setOpen(true)}
      >
        <Icon name="more" />
        More
      </button>
      {isOpen && <Sheet rest={rest} here={here} close={() => setOpen(false)} />}
    </nav>
  )
}

function Sheet({ rest, here, close }: { rest: readonly PageRoute[]; here: string; close: () => void }): ReactNode {
  const { session, signOut } = useSession()
  const sheet = useRef<HTMLDialogElement>(null)
  useLeave(() => sheet.current?.close())
  useEffect(() => {
    const open = sheet.current
    open?.showModal()
    // Closes the menu after any choice or a tap beside it.
    const end = (): void => open?.close()
    open?.addEventListener('click', end)
    return () => open?.removeEventListener('click', end)
  }, [])
  return (
    <dialog ref={sheet} className="sheet" aria-label="More pages" onClose={close}>
      {rest.map(page => (
        <PageLink key={page.path} page={page} here={here} />
      ))}
      <DocsLink />
      <button type="button" className="button" onClick={signOut}>
        Sign out {session.login}
      </button>
    </dialog>
  )
}
