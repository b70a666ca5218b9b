import type { ServerEvent } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { Badge, type Tone } from '../../parts/badge.js'
import { clock } from '../../parts/format.js'
import { EmptyState } from '../../parts/states.js'

const MAX_EVENTS = 14

/** The list of recent server events. */
export const Feed = ({ events }: { readonly events: readonly ServerEvent[] }): ReactNode => (
  <section className="card">
    <div className="card-head">
      <h2>Live events</h2>
    </div>
    {events.length === 0 ? (
      <EmptyState
        title="No events yet"
        says="Logins, pushes, queries and failures appear here while this page is open."
      />
    ) : (
      <ol className="feed card-body">
        {events.slice(0, MAX_EVENTS).map((event, place) => {
          const { what, says, tone } = eventWords(event)
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

/** The text of an event. */
interface EventWords {
  readonly what: string
  readonly says: string
  readonly tone: Tone
}

const objectCount = (count: number): string => `${count} ${count === 1 ? 'object' : 'objects'}`

function eventWords(event: ServerEvent): EventWords {
  switch (event.kind) {
    case 'login':
      return { what: 'Login', says: `${event.user} as ${event.role}`, tone: 'plain' }
    case 'login_refused':
      return { what: 'Login refused', says: `${event.user ?? 'unknown user'}: ${event.code}`, tone: 'warn' }
    case 'client_created':
      return { what: 'New device', says: `of ${event.user}`, tone: 'accent' }
    case 'client_deleted':
      return { what: 'Device deleted', says: `of ${event.user}`, tone: 'plain' }
    case 'objects_written':
      return { what: 'Write', says: `${objectCount(event.changed)} of ${event.source}`, tone: 'plain' }
    case 'mutations_pushed':
      return {
        what: 'Push',
        says: `${event.user}: ${event.applied} of ${event.sent} applied in ${event.source}`,
        tone: event.refused > 0 ? 'warn' : 'good',
      }
    case 'mutation_refused':
      return { what: 'Refused', says: `${event.source} ${event.object}: ${event.error.message}`, tone: 'bad' }
    case 'mutation_in_doubt':
      return { what: 'In doubt', says: `${event.source} ${event.object}: ${event.error.message}`, tone: 'bad' }
    case 'query_done':
      return {
        what: 'Query',
        says: `${event.source}: ${event.changed} changed, ${event.removed} removed`,
        tone: 'good',
      }
    case 'query_failed':
      return { what: 'Query failed', says: `${event.source}: ${event.error.message}`, tone: 'bad' }
    case 'call_failed':
      return { what: 'Call failed', says: `${event.method} of ${event.source}: ${event.error.message}`, tone: 'bad' }
    case 'job_failed':
      return { what: 'Job failed', says: `${event.job} in ${event.queue}: ${event.error.message}`, tone: 'bad' }
    case 'server_started':
      return { what: 'Server started', says: event.process, tone: 'accent' }
    case 'server_stopping':
      return { what: 'Server stopping', says: event.process, tone: 'warn' }
    case 'events_missed':
      return { what: 'Events skipped', says: 'too many to show them all', tone: 'warn' }
    default:
      return { what: event.kind, says: '', tone: 'plain' }
  }
}
