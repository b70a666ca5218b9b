import { setTimeout as after } from 'node:timers/promises'
import { type Worker, within } from '@godwit/store'
import type { Statistics } from '../admin/measure/statistics.js'
import type { WatchStreams } from '../admin/watch/watch-streams.js'
import type { Reporter } from '../base/reporter.js'
import type { EventStreams } from '../device/events/event-streams.js'
import type { Traffic } from './edge.js'
import type { HttpListener } from './listen.js'

interface Stoppable {
  /** The periodic work. */
  readonly background: { stop(): Promise<void> }
  readonly workers: Worker | undefined
  readonly hub: EventStreams
  readonly watchHub: WatchStreams
  readonly reporter: Reporter
  readonly figures: { stop(): Promise<void> }
  readonly pingPeers: { stop(): Promise<void> }
  readonly statistics: Statistics
}

interface ShutdownOptions {
  /** Undefined, or resolving to undefined, if the server never ran. */
  readonly started: Promise<Stoppable | undefined> | undefined
  readonly listeners: readonly HttpListener[]
  readonly traffic: Traffic
  readonly stopping: AbortController
  readonly seconds: number
  /** The seconds, within `seconds`, for which sockets still accept connections. */
  readonly delay: number
}

const DRAIN_SHARE = 0.8
const CLOSE_SHARE = 0.05

/**
 * Stops a server: it reports that it is not ready, after the delay accepts nothing more, lets requests finish, and releases unfinished jobs. Near the
 * end of the time it aborts calls to backends, so that their requests still get a response; at the end it closes the connections.
 */
export async function stop({ started, listeners, traffic, stopping, ...times }: ShutdownOptions): Promise<void> {
  const running = await started
  traffic.draining = true
  const delay = listeners.length > 0 ? Math.min(times.delay, times.seconds) : 0
  if (delay > 0) await after(delay * 1000)
  const seconds = times.seconds - delay
  const ended = Promise.all([
    running?.hub.close(),
    running?.reporter.stop().then(() => running.watchHub.close()),
    running?.figures.stop(),
    running?.pingPeers.stop(),
    running?.background.stop(),
    running?.workers?.close({ patience: seconds * DRAIN_SHARE * 1000 }),
    ...listeners.map(listener => listener.close()),
    untilIdle(traffic, stopping.signal),
  ]).catch(() => undefined)
  await within(ended, seconds * DRAIN_SHARE * 1000)
  stopping.abort()
  await within(ended, seconds * (1 - DRAIN_SHARE) * 1000)
  if (running) await within(running.statistics.stop(), seconds * CLOSE_SHARE * 1000)
  for (const listener of listeners) listener.destroy()
}

/** Resolves when no request is in progress, or a moment after `aborted`. */
async function untilIdle(traffic: Traffic, aborted: AbortSignal): Promise<void> {
  for (let late = 0; traffic.open > 0 && late < 100; late += aborted.aborted ? 1 : 0)
    await after(20, undefined, { ref: false })
}
