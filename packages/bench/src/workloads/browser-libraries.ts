import { inTime } from '@godwit/store'
import type { Page } from 'playwright-core'
import { withChromium } from '../browser/chromium.js'
import { servePages } from '../browser/pages.js'
import { figure, percentile } from '../measure.js'
import type { Result, Workload } from './workload.js'

/** Pages and their titles. Godwit with unsent rows, PowerSync, RxDB and PouchDB track changes; the others store plain rows. */
const SYSTEMS = [
  ['byHand', 'sqlite-wasm by hand'],
  ['godwit', 'Godwit, all rows unsent'],
  ['godwitLocal', 'Godwit, nothing to send'],
  ['powersync', 'PowerSync (OPFS)'],
  ['rxdb', 'RxDB (Dexie)'],
  ['pouchdb', 'PouchDB (IndexedDB)'],
  ['tinybase', 'TinyBase (OPFS)'],
] as const

const FINDS = 200
const CREATES = 50

type Figures = Omit<Result, 'workload' | 'system'>

const latencies = (measure: string, took: readonly number[]): readonly Figures[] => {
  const sorted = took.toSorted((a, b) => a - b)
  const [least, most] = [sorted[0] ?? Number.NaN, sorted.at(-1) ?? Number.NaN]
  return [
    { measure: `${measure}, p50 ms`, median: percentile(sorted, 0.5), least, most },
    { measure: `${measure}, p95 ms`, median: percentile(sorted, 0.95), least, most },
  ]
}

/** Timeout of a library in milliseconds; a library that exceeds it is omitted. */
const LATE = 300_000

const tooLate = (): Error => new Error(`no answer within ${LATE / 1000} s`)

async function measurePage(page: Page, url: string, { objects, runs }: { objects: number; runs: number }) {
  const ask = <T>(call: string): Promise<T> => inTime(page.evaluate(call) as Promise<T>, LATE, tooLate)
  await page.goto(url)
  await ask('bench.ready()')
  const stored = await ask<number>(`bench.store(${objects})`)
  const found = await ask<readonly number[]>(`bench.find(${FINDS})`)
  const reported = await ask<readonly number[]>(`bench.live(${CREATES})`)
  const first: number[] = []
  for (let run = 0; run < runs; run++) {
    await page.reload()
    first.push(await ask<number>('bench.first()'))
  }
  const share = { measure: `${objects.toLocaleString('en-US')} rows stored, s`, ...figure([stored]) }
  return [
    share,
    ...latencies('99 found by an index', found),
    ...latencies('create → live query', reported),
    { measure: 'reload → first rows, ms', ...figure(first) },
  ]
}

/** The same operations in the same Chromium, with rows on disk and a separate profile for each library. */
export const browserLibraries: Workload<{ readonly name: string }> = {
  name: 'browser, libraries',
  systems: SYSTEMS.map(([, name]) => ({ name })),
  async run({ name }, { objects, runs }) {
    const [key] = SYSTEMS.find(([, displayed]) => displayed === name) ?? []
    const pages = await servePages()
    try {
      return await withChromium(async context => {
        const page = await context.newPage()
        page.on('pageerror', ({ message }) => process.stderr.write(`${name}: ${message}\n`))
        try {
          return await measurePage(page, `${pages.url}/?system=${key}`, { objects: objects.at(-1) ?? 0, runs })
        } catch (error) {
          // A failure must not prevent the others from being measured.
          process.stderr.write(`${name}: ${error instanceof Error ? error.message : error}\n`)
          return []
        }
      })
    } finally {
      pages.close()
    }
  },
}
