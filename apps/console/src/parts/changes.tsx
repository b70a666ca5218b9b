import type { ReactNode } from 'react'
import { type Difference, shortText } from './values.js'

interface ChangesProps {
  readonly found: readonly Difference[]
  readonly label?: string
}

/** What goes and what comes, attribute by attribute. */
export const Changes = ({ found, label = 'What changes' }: ChangesProps): ReactNode => (
  <section className="diff" aria-label={label}>
    {found.flatMap(({ name, before, after }) => [
      before !== undefined && (
        <div key={`- ${name}`} className="gone">
          − {name}: {shortText(before)}
        </div>
      ),
      after !== undefined && (
        <div key={`+ ${name}`} className="come">
          + {name}: {shortText(after)}
        </div>
      ),
    ])}
  </section>
)
