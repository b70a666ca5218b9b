import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ADMIN_PASSWORD, startServer } from '../../harness/server-process.js'
import { Dice } from '../../simulator/world/dice.js'
import { census, expectedRows, type TableCount } from './census.js'
import { type CrowdReport, runCrowd } from './crowd.js'
import { Gauge, growth, heapLogging, heapSamples, type Sample, type StoreSample } from './gauge.js'
import { whatGrew } from './what-grew.js'

export interface SoakOptions {
  /** Path of the database. */
  readonly store: string
  readonly minutes: number
  readonly devices: number
  readonly seed: number
  /** The longest pause of a lane between two actions, in milliseconds. Default 10. */
  readonly pause?: number | undefined
  /** Called with each measurement of the store. */
  readonly progress?: ((sample: StoreSample) => void) | undefined
}

export interface SoakReport extends CrowdReport {
  readonly samples: readonly Sample[]
  readonly resident: ReturnType<typeof growth>
  /** Memory after full garbage collections; growth is a leak. */
  readonly live: ReturnType<typeof growth>
  /** Memory that V8 reserves for its heap. */
  readonly reserved: ReturnType<typeof growth>
  readonly handles: ReturnType<typeof growth>
  /** Size of the store's files without the audit log, which is never truncated. */
  readonly storeSize: ReturnType<typeof growth>
  /** The final size of each table, with its expected maximum of rows. */
  readonly tables: readonly (TableCount & { readonly middle: number; readonly end: number })[]
  /** One sentence for each measurement that grew or exceeds its limit. */
  readonly grown: readonly string[]
  /** Errors logged by the server. */
  readonly errors: readonly string[]
}

/** Number of devices that act concurrently; more would measure the machine instead of the server. */
const BUSY = 24
const SAMPLE = 2000
/** Minimum seconds between garbage collections, and their number per run; each stops the server for some milliseconds. */
const COLLECTED = 5
const COLLECTIONS = 60

/** Runs a server in a separate process, and the devices in this one. */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const { store, minutes, devices, seed, pause = 10, progress } = options
  mkdirSync(dirname(store), { recursive: true })
  const heapLog = join(dirname(store), 'heap.jsonl')
  const seconds = Math.max(COLLECTED, (minutes * 60) / COLLECTIONS)
  const environment = { SYNC_LOG_LEVEL: 'error', ...heapLogging(heapLog, seconds) }
  const server = await startServer({ store: `sqlite:${store}`, config: 'mixed-load.mjs', environment })
  const gauge = new Gauge(server.child.pid ?? 0, store)
  const sampling = setInterval(() => gauge.take(), SAMPLE)
  const samplingStore = setInterval(() => {
    const sample = gauge.takeStore()
    progress?.(sample)
  }, seconds * 1000)
  const begun = performance.now()
  let counts: readonly TableCount[] = []
  try {
    const dice = new Dice(seed)
    const duration = minutes * 60_000
    const random = () => dice.next()
    const report = await runCrowd({
      url: server.url,
      devices,
      duration,
      busy: BUSY,
      pause,
      random,
      admin: await adminToken(server.url),
      async inspect(crowd, removals) {
        clearInterval(sampling)
        clearInterval(samplingStore)
        const traces = crowd.map(device => device.traces)
        counts = await census(store, expectedRows(traces, { seconds: (performance.now() - begun) / 1000, removals }))
      },
    })
    const { samples, storeSamples } = gauge
    const heap = heapSamples(heapLog)
    const measured = {
      ...report,
      samples,
      resident: growth(samples, 'resident'),
      live: growth(heap, 'live'),
      reserved: growth(heap, 'reserved'),
      handles: growth(samples, 'handles'),
      storeSize: growth(storeSamples, 'size'),
      tables: counts.map(count => ({ ...count, ...growth(bytesOf(count.table, storeSamples), 'bytes') })),
      errors: server
        .output()
        .error.split('\n')
        .filter(line => line.includes('"level":"error"')),
    }
    return { ...measured, grown: whatGrew(measured, devices) }
  } finally {
    clearInterval(sampling)
    clearInterval(samplingStore)
    await server.kill('SIGTERM')
  }
}

async function adminToken(url: string): Promise<string> {
  const answer = await fetch(`${url}/rc/v1/system/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'admin', password: ADMIN_PASSWORD }),
  })
  if (!answer.ok) throw new Error(`login of the admin: ${answer.status} ${await answer.text()}`)
  return answer.text()
}

const bytesOf = (table: string, samples: readonly StoreSample[]) =>
  samples.map(({ tables }) => ({ bytes: tables.get(table) ?? 0 }))
