import { type ServerEventsQuery, SyncError } from '@godwit/protocol'
import { SERVER_EVENT_KINDS } from '@godwit/protocol/schemas'
import type { AdminEngine } from '../admin-engine.js'
import type { WatchStream } from './watch-stream.js'

/** Opens a stream of the server's events for the owner of a token. */
export function watch(
  { watchHub }: Pick<AdminEngine, 'watchHub'>,
  { login, credential }: { readonly login: string; readonly credential: string },
  { kinds, source, user, after }: ServerEventsQuery,
): WatchStream {
  return watchHub.open({ login, credential, kinds: kindsOf(kinds), source, user, after })
}

function kindsOf(kinds: string | undefined): ReadonlySet<string> | undefined {
  if (kinds === undefined || kinds === '') return undefined
  const named = kinds.split(',').map(kind => kind.trim())
  const unknown = named.find(kind => !(SERVER_EVENT_KINDS as readonly string[]).includes(kind))
  if (unknown === undefined) return new Set(named)
  throw new SyncError(
    'value_not_allowed',
    `kinds: expected kinds of events separated by commas, got ${JSON.stringify(unknown)}. There are: ${SERVER_EVENT_KINDS.join(', ')}.`,
  )
}
