import type { ReactNode } from 'react'

interface PageHeadProps {
  readonly title: string
  readonly says?: string
  /** Actions of the page. */
  readonly children?: ReactNode
}

export const PageHead = ({ title, says, children }: PageHeadProps): ReactNode => (
  <header className="page-head">
    <div>
      <h1>{title}</h1>
      {says !== undefined && <p>{says}</p>}
    </div>
    {children !== undefined && <div className="buttons">{children}</div>}
  </header>
)
