import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { startServer } from '../../harness/server-process.js'
import { Dice } from '../../simulator/world/dice.js'
import { type CrowdReport, runCrowd } from './crowd.js'
import { Gauge, growth, heapLogging, heapSamples, type Sample } from './gauge.js'

export interface SoakOptions {
  /** Path of the database. */
  readonly store: string
  readonly minutes: number
  readonly devices: number
  readonly seed: number
  /** The longest pause of a lane between two actions, in milliseconds. Default 10. */
  readonly pause?: number | undefined
}

export interface SoakReport extends CrowdReport {
  readonly samples: readonly Sample[]
  readonly resident: ReturnType<typeof growth>
  /** What a full collection leaves: what only grows here is a leak, whatever the process has of the system. */
  readonly live: ReturnType<typeof growth>
  /** What V8 keeps for its heap. */
  readonly reserved: ReturnType<typeof growth>
  readonly handles: ReturnType<typeof growth>
  readonly storeSize: ReturnType<typeof growth>
  /** What the server logged as errors. */
  readonly errors: readonly string[]
}

/** Devices that act at the same time: more would measure this machine. */
const BUSY = 24
const SAMPLE = 2000
/** Seconds between two collections at least, and how many a run has: each stops the server for some milliseconds. */
const COLLECTED = 5
const COLLECTIONS = 60

/** A server as its own process, and a crowd of devices in this one. */
export async function runSoak({ store, minutes, devices, seed, pause = 10 }: SoakOptions): Promise<SoakReport> {
  mkdirSync(dirname(store), { recursive: true })
  const heapLog = join(dirname(store), 'heap.jsonl')
  const seconds = Math.max(COLLECTED, (minutes * 60) / COLLECTIONS)
  const environment = { SYNC_LOG_LEVEL: 'error', ...heapLogging(heapLog, seconds) }
  const server = await startServer({ store: `sqlite:${store}`, config: 'mixed-load.mjs', environment })
  const gauge = new Gauge(server.child.pid ?? 0, store)
  const sampling = setInterval(() => gauge.take(), SAMPLE)
  try {
    const dice = new Dice(seed)
    const duration = minutes * 60_000
    const random = () => dice.next()
    const report = await runCrowd({ url: server.url, devices, duration, busy: BUSY, pause, random })
    clearInterval(sampling)
    const { samples } = gauge
    const heap = heapSamples(heapLog)
    return {
      ...report,
      samples,
      resident: growth(samples, 'resident'),
      live: growth(heap, 'live'),
      reserved: growth(heap, 'reserved'),
      handles: growth(samples, 'handles'),
      storeSize: growth(samples, 'store'),
      errors: server
        .output()
        .error.split('\n')
        .filter(line => line.includes('"level":"error"')),
    }
  } finally {
    clearInterval(sampling)
    await server.kill('SIGTERM')
  }
}
