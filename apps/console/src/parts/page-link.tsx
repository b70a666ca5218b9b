import type { ReactNode } from 'react'
import { serverPage } from '../api.js'
import type { PageRoute } from '../pages.js'
import { linkTo } from '../routes.js'
import { Icon } from './icon.js'

/** A link to a page in the navigation, which starts loading when the pointer enters it. */
export const PageLink = ({ page, here }: { readonly page: PageRoute; readonly here: string }): ReactNode => (
  <a
    className="side-link"
    href={linkTo(page.path)}
    title={page.title}
    aria-current={page.path === here ? 'page' : undefined}
    onPointerEnter={() => void page.load()}
  >
    <Icon name={page.icon} />
    <span>{page.title}</span>
  </a>
)

export const DocsLink = (): ReactNode => (
  <a className="side-link" href={serverPage('docs')} title="API">
    <Icon name="book" />
    <span>API</span>
  </a>
)
