import type { Warning } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { Icon } from '../../parts/icon.js'
import { linkTo } from '../../routes.js'

const PAGES: { readonly [about: string]: string } = {
  mutations: 'mutations',
  jobs: 'jobs',
  sources: 'sources',
  feeds: 'feeds',
  backend: 'settings',
}
/** Subjects that the console cannot fix. */
const NOT_IN_CONSOLE = new Set(['store', 'disk'])

/** Warnings of the server with the recommended actions. */
export const Warnings = ({ warnings }: { readonly warnings: readonly Warning[] }): ReactNode =>
  warnings.length > 0 && (
    <ul className="stack tight" aria-label="Warnings">
      {warnings.map(({ about, says, todo }) => (
        <li key={`${about} ${says}`} className="alert">
          <Icon name="warning" />
          <div className="break">
            <p>
              <strong>{about.charAt(0).toUpperCase() + about.slice(1)}:</strong> {says}
            </p>
            <p className="soft">{todo}</p>
          </div>
          {!NOT_IN_CONSOLE.has(about) && (
            <a className="button" href={linkTo(PAGES[about] ?? 'sources', PAGES[about] ? {} : { open: about })}>
              View
            </a>
          )}
        </li>
      ))}
    </ul>
  )
