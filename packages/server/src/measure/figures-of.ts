import type { Engine } from '../engine.js'
import type { EventStreams } from '../events/event-streams.js'
import { SERVER_VERSION } from '../version.js'
import type { Figures } from './process-figures.js'

/** What this process observed since it started. */
export const figuresOf = (
  { holder, clock, metrics }: Pick<Engine, 'holder' | 'clock' | 'metrics'>,
  streams: Pick<EventStreams, 'size'>,
): Figures => ({
  process: holder,
  version: SERVER_VERSION,
  started_at: new Date(Math.round(clock() - process.uptime() * 1000)).toISOString(),
  streams: streams.size,
  requests: metrics.requests.counts(),
  failures: metrics.failures
    .samples()
    .map(({ labels, value }) => [labels['route'] ?? '', labels['code'] ?? '', value] as const),
})
