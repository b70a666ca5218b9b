import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { messageOf } from '@godwit/source'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { JobCounts, Levels } from '../admin/measure/levels.js'
import { feedReports } from '../backend/feeds/feed-reports.js'
import { SERVER_VERSION } from '../base/version.js'
import type { HttpEngine } from './http-engine.js'

/** Milliseconds between samples, which is also the delay shown for an idle loop. */
const RESOLUTION = 20

interface Lag {
  /** Seconds. */
  readonly median: number
  readonly p99: number
  readonly max: number
}

/** The delay of the event loop between two reads. Sampling starts at the first read. */
class LoopLag {
  #delay: IntervalHistogram | undefined

  read(): Lag {
    if (!this.#delay) {
      this.#delay = monitorEventLoopDelay({ resolution: RESOLUTION })
      this.#delay.enable()
      return { median: 0, p99: 0, max: 0 }
    }
    const delay = this.#delay
    const lag = {
      median: latenessSeconds(delay.percentile(50)),
      p99: latenessSeconds(delay.percentile(99)),
      max: latenessSeconds(delay.max),
    }
    delay.reset()
    return lag
  }

  stop(): void {
    this.#delay?.disable()
  }
}

const latenessSeconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - RESOLUTION / 1000)

type MetricsEngine = Pick<
  HttpEngine,
  'levels' | 'log' | 'hub' | 'metrics' | 'storeHealth' | 'store' | 'sources' | 'limits' | 'clock'
>

/** The metrics of one server as text: recorded values, and gauges read on request. */
export class MetricsPage {
  readonly #engine: MetricsEngine
  readonly #registry: Registry
  readonly #processorTime: Counter
  readonly #lag = new LoopLag()

  constructor(engine: MetricsEngine) {
    this.#engine = engine
    this.#registry = engine.metrics.registry
    const [name, help] = ['process_cpu_seconds_total', 'Processor time that the process took.']
    this.#processorTime = new Counter({ name, help, registers: [this.#registry] })
    this.#gauge('godwit_info', 'The version of the server.', ['version']).set({ version: SERVER_VERSION }, 1)
  }

  get type(): string {
    return this.#registry.contentType
  }

  async text(): Promise<string> {
    this.#showProcess(this.#lag.read())
    const { levels, log, storeHealth } = this.#engine
    const [isUp, read] = await Promise.all([
      storeHealth.check().then(
        () => true,
        () => false,
      ),
      levels.read().catch(error => {
        log.debug({ error: messageOf(error) }, 'could not measure the store')
        return undefined
      }),
    ])
    this.#gauge('godwit_store_up', 'Whether the store can be read and written, as /readyz reports.').set(isUp ? 1 : 0)
    this.#showLevels(read)
    if (isUp) await this.#showFeeds()
    return this.#registry.metrics()
  }

  stop(): void {
    this.#lag.stop()
  }

  #showProcess({ median, p99, max }: Lag): void {
    const lag = this.#gauge('godwit_event_loop_lag_seconds', 'Event loop delay since the last scrape.', ['quantile'])
    for (const [quantile, seconds] of Object.entries({ '0.5': median, '0.99': p99, '1': max }))
      lag.set({ quantile }, seconds)
    this.#gauge('godwit_event_streams', 'Open event streams of devices in this process.').set(this.#engine.hub.size)
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
    this.#gauge('process_resident_memory_bytes', 'Memory of the process.').set(rss)
    this.#gauge('nodejs_heap_size_used_bytes', 'Used of the JavaScript heap.').set(heapUsed)
    this.#gauge('nodejs_heap_size_total_bytes', 'The JavaScript heap, with what is free in it.').set(heapTotal)
    this.#gauge('nodejs_external_memory_bytes', 'Memory of buffers outside the heap.').set(external)
    const { user, system } = process.cpuUsage()
    this.#processorTime.reset()
    this.#processorTime.inc((user + system) / 1e6)
    this.#gauge('process_start_time_seconds', 'When the process started, in Unix seconds.').set(
      Math.round(Date.now() / 1000 - process.uptime()),
    )
  }

  async #showFeeds(): Promise<void> {
    const { clock, log } = this.#engine
    const feeds = await feedReports(this.#engine).catch(error => {
      log.debug({ error: messageOf(error) }, 'the feeds were not read')
      return []
    })
    for (const { name: feed, heartbeat_at, stale_since, waiting_rows, waiting_bytes } of feeds) {
      const show = (name: string, help: string, value: number | null): void => {
        if (value !== null) this.#gauge(name, help, ['feed']).set({ feed }, value)
      }
      const age = heartbeat_at === null ? null : Math.max(0, clock() - Date.parse(heartbeat_at)) / 1000
      show('godwit_feed_heartbeat_age_seconds', 'Since a heartbeat last came through the backend, by feed.', age)
      show('godwit_feed_stale', '1: nothing proves that the feed is up to date.', stale_since === null ? 0 : 1)
      show('godwit_feed_waiting_rows', 'Rows that wait in the backend, by feed, where the feed knows.', waiting_rows)
      show('godwit_feed_waiting_bytes', 'What they take, by feed, where the feed knows.', waiting_bytes)
    }
  }

  /** Undefined levels mean that the store cannot be read; its gauges are then omitted. */
  #showLevels(levels: Levels | undefined): void {
    const { users, devices, sessions, bytes, durability, intact, replicas, undecided, jobs, removals } = levels ?? {}
    this.#show('godwit_users', 'Users on record, including API users.', users)
    this.#show('godwit_devices', 'Clients on record.', devices)
    this.#show(
      'godwit_sessions',
      'Sessions and API tokens on record; they are kept for a week after they end.',
      sessions,
    )
    this.#show('godwit_store_size_bytes', 'Size of the store, where it is known.', bytes)
    this.#show(
      'godwit_store_intact',
      '0: the integrity check at the start of the server found damage.',
      intact === undefined ? undefined : Number(intact),
    )
    this.#show(
      'godwit_store_flushes_commits',
      '1: acknowledged writes survive a power failure (SYNC_DURABILITY=full). 0: a crash of the process.',
      durability === undefined ? undefined : Number(durability === 'full'),
    )
    this.#showStates(
      'godwit_journal_mutations',
      'Mutations without an outcome, by state; 20,000 are counted at most.',
      undecided,
    )
    this.#showStates(
      'godwit_store_replicas',
      'Replicas of the store that must confirm a call before it starts, and those in sync.',
      replicas && { wanted: replicas.wanted, present: replicas.present },
    )
    this.#showJobs(jobs)
    this.#showRemovals(removals)
  }

  #showRemovals(removals: Levels['removals'] = []): void {
    const labels = ['source']
    const counts = this.#gauge(
      'godwit_removals_pending',
      'Removals of queries that are held back; 1,000 partitions are counted at most.',
      labels,
    )
    const times = this.#gauge(
      'godwit_removals_pending_since_seconds',
      'Time since which the oldest of them are held back, in Unix seconds.',
      labels,
    )
    counts.reset()
    times.reset()
    const oldest = new Map<string, number>()
    for (const { source, pending } of removals) {
      counts.inc({ source }, pending.count)
      oldest.set(source, Math.min(pending.since, oldest.get(source) ?? pending.since))
    }
    for (const [source, since] of oldest) times.set({ source }, since / 1000)
  }

  #showStates(name: string, help: string, counts: { readonly [state: string]: number } = {}): void {
    const gauge = this.#gauge(name, help, ['state'])
    gauge.reset()
    for (const [state, count] of Object.entries(counts)) gauge.set({ state }, count)
  }

  #showJobs(counts: JobCounts = new Map()): void {
    const gauge = this.#gauge('godwit_jobs', 'Jobs by queue and state; 5,000 are counted at most.', ['queue', 'state'])
    gauge.reset()
    for (const [queue, states] of counts)
      for (const [state, count] of Object.entries(states)) gauge.set({ queue, state }, count)
  }

  #show(name: string, help: string, value: number | undefined): void {
    const gauge = this.#gauge(name, help)
    if (value === undefined) gauge.remove()
    else gauge.set(value)
  }

  #gauge(name: string, help: string, labelNames: readonly string[] = []): Gauge {
    const known = this.#registry.getSingleMetric(name) as Gauge | undefined
    return known ?? new Gauge({ name, help, labelNames, registers: [this.#registry] })
  }
}
