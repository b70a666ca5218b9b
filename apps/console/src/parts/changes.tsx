import type { ReactNode } from 'react'
import { brief, type Difference } from './values.js'

/** What goes and what comes, attribute by attribute. */
export const Changes = ({ found }: { readonly found: readonly Difference[] }): ReactNode => (
  <section className="diff" aria-label="What changes">
    {found.flatMap(({ name, before, after }) => [
      before !== undefined && (
        <div key={`- ${name}`} className="gone">
          − {name}: {brief(before)}
        </div>
      ),
      after !== undefined && (
        <div key={`+ ${name}`} className="come">
          + {name}: {brief(after)}
        </div>
      ),
    ])}
  </section>
)
