import type { Events } from '../events/sdk-events.js'
import type { StreamEvent } from '../events/server-events.js'
import type { Automatic } from './automatic.js'

/** Milliseconds over which devices spread their pulls if the server does not say. */
const CHANGE_WITHIN_MS = 500
const CHECK_WITHIN_MS = 5000

/** Handles events of the server. */
export const eventHandler =
  (automatic: Pick<Automatic, 'hinted' | 'checked' | 'reached' | 'accessChanged'>, events: Events) =>
  (event: StreamEvent): void => {
    if (event.kind === 'open') automatic.reached()
    if (event.kind === 'change') {
      const { source, head, within = CHANGE_WITHIN_MS } = event
      automatic.hinted(new Map([[source, { kind: 'change', head }]]), within)
    }
    if (event.kind === 'check') {
      const { heads, within = CHECK_WITHIN_MS } = event
      automatic.checked(source => ({ kind: 'check', head: heads.get(source) }), within)
    }
    if (event.kind === 'access') automatic.accessChanged(event.source)
    if (event.kind !== 'ping') return
    const { do_sync = [], ...ping } = event.ping
    events.emit({ kind: 'ping', ...ping, sources: do_sync })
    automatic.hinted(new Map(do_sync.map(source => [source, undefined])), CHANGE_WITHIN_MS)
  }
