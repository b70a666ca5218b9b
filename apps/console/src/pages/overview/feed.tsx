import type { ServerEvent } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { Badge } from '../../parts/badge.js'
import { clock } from '../../parts/format.js'
import { EmptyState } from '../../parts/states.js'
import { wordsOf } from './event-words.js'

const MAX_EVENTS = 14

/** What happens on the server. */
export const Feed = ({ events }: { readonly events: readonly ServerEvent[] }): ReactNode => (
  <section className="card">
    <div className="card-head">
      <h2>As it happens</h2>
    </div>
    {events.length === 0 ? (
      <EmptyState
        title="Quiet so far"
        says="Logins, pushes, queries and failures appear here while this page is open."
      />
    ) : (
      <ol className="feed card-body">
        {events.slice(0, MAX_EVENTS).map((event, place) => {
          const { what, says, tone } = wordsOf(event)
          return (
            <li key={'id' in event ? event.id : `${event.kind} ${place}`}>
              <time dateTime={event.time}>{clock(event.time)}</time>
              <span className="cut" title={says}>
                <Badge tone={tone}>{what}</Badge> {says}
              </span>
            </li>
          )
        })}
      </ol>
    )}
  </section>
)
