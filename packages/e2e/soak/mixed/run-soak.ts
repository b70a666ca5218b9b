import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { startServer } from '../../harness/server-process.js'
import { Dice } from '../../simulator/world/dice.js'
import { type CrowdReport, runCrowd } from './crowd.js'
import { Gauge, growth, type Sample } from './gauge.js'

export interface SoakOptions {
  /** Path of the database. */
  readonly store: string
  readonly minutes: number
  readonly devices: number
  readonly seed: number
}

export interface SoakReport extends CrowdReport {
  readonly samples: readonly Sample[]
  readonly resident: ReturnType<typeof growth>
  readonly handles: ReturnType<typeof growth>
  readonly storeSize: ReturnType<typeof growth>
  /** What the server logged as errors. */
  readonly errors: readonly string[]
}

/** Devices that act at the same time: more would measure this machine. */
const BUSY = 24
const SAMPLE = 2000

/** A server as its own process, and a crowd of devices in this one. */
export async function runSoak({ store, minutes, devices, seed }: SoakOptions): Promise<SoakReport> {
  mkdirSync(dirname(store), { recursive: true })
  const environment = { SYNC_LOG_LEVEL: 'error' }
  const server = await startServer({ store: `sqlite:${store}`, config: 'mixed-load.mjs', environment })
  const gauge = new Gauge(server.child.pid ?? 0, store)
  const sampling = setInterval(() => gauge.take(), SAMPLE)
  try {
    const dice = new Dice(seed)
    const duration = minutes * 60_000
    const report = await runCrowd({ url: server.url, devices, duration, busy: BUSY, random: () => dice.next() })
    clearInterval(sampling)
    const { samples } = gauge
    return {
      ...report,
      samples,
      resident: growth(samples, 'resident'),
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
