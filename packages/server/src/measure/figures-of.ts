import type { Engine } from '../engine.js'
import type { EventStreams } from '../events/event-streams.js'
import { SERVER_VERSION } from '../version.js'
import type { Figures } from './process-figures.js'
import { requestCounts } from './quantile.js'

/** What this process observed since it started. */
export async function figuresOf(
  { holder, clock, metrics }: Pick<Engine, 'holder' | 'clock' | 'metrics'>,
  streams: Pick<EventStreams, 'size'>,
): Promise<Figures> {
  const [requests, failures] = await Promise.all([requestCounts(metrics.requests), metrics.failures.get()])
  return {
    process: holder,
    version: SERVER_VERSION,
    started_at: new Date(Math.round(clock() - process.uptime() * 1000)).toISOString(),
    streams: streams.size,
    requests,
    failures: failures.values.map(({ labels, value }) => [String(labels.route), String(labels.code), value]),
  }
}
