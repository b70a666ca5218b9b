import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import type { BrowserContext, Page } from 'playwright-core'
import { withChromium } from '../browser/chromium.js'
import { servePages } from '../browser/pages.js'
import { figure, seconds, share } from '../measure.js'
import { startProgram } from '../systems/system.js'
import type { Result, Workload } from './workload.js'

type Figures = Omit<Result, 'workload' | 'system'>

const CITIES = 135_233
const TIMES = 100

/** As the page's own models. */
const City = defineModel('City', {
  partition: 'app',
  sync: 'incremental',
  storage: 'fixed',
  attributes: {
    name: t.string(),
    country: t.string(),
    population: t.integer(),
    latitude: t.float(),
    longitude: t.float(),
  },
  indexes: { byName: ['name'] },
  textSearch: ['name'],
})

/** The demo, which pages of another origin may ask. */
async function withDemo<T>(origin: string, run: (url: string) => Promise<T>): Promise<T> {
  const server = await startProgram(
    fileURLToPath(new URL('../../../apps/server/dist/godwit.js', import.meta.url)),
    ['start'],
    {
      // Vite leaves another one behind.
      NODE_ENV: 'development',
      PORT: '0',
      SYNC_STORE: 'memory:',
      SYNC_ORIGINS: origin,
      SYNC_ADMIN_PASSWORD: 'a password of the bench',
      SYNC_LOG_LEVEL: 'error',
    },
  )
  try {
    // The first query of the cities is the server's own work.
    await syncInNode(server.url)
    return await run(server.url)
  } finally {
    await server.stop()
  }
}

async function syncInNode(server: string): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'godwit-bench-device-'))
  const sdk = await openSdk({ directory, server, models: { City }, eventStream: false })
  try {
    sdk.pollInterval = 0
    const took = await seconds(async () => {
      await sdk.login('ada', 'ada')
      await sdk.sync()
    })
    if (sdk.models.City.count() !== CITIES) throw new Error(`${sdk.models.City.count()} cities of ${CITIES}`)
    return took
  } finally {
    await sdk.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** What a page measured while it was asked. */
export interface AnswerTimes {
  readonly seconds: number
  readonly longest: number
  readonly waits: readonly number[]
}

async function opened(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  await page.evaluate('bench.ready()')
  return page
}

const numbers = (page: Page, call: string) => page.evaluate(call) as Promise<readonly number[]>

/** Two tabs: what one writes and the other sees; then the first is closed, while the other asks. */
async function inTabs(context: BrowserContext, first: Page, url: string) {
  const second = await opened(context, url)
  await second.evaluate('bench.watch()')
  const notes = Array.from({ length: TIMES / 2 }, (_, turn) => `tab ${turn} ${Date.now()}`)
  const made = (await first.evaluate(`bench.create(${JSON.stringify(notes)})`)) as { readonly [note: string]: number }
  await second.waitForTimeout(500)
  const seen = (await second.evaluate('seen()')) as { readonly [note: string]: number }
  await second.evaluate('bench.ask()')
  await first.close()
  await second.waitForTimeout(3_000)
  const waited = (await second.evaluate('stop()')) as number
  return { second, other: notes.map(note => (seen[note] ?? Number.NaN) - (made[note] ?? Number.NaN)), waited }
}

/** A device in a browser beside one in Node, on the cities of the demo. */
export const browserSync: Workload<{ readonly name: string }> = {
  name: 'browser, sync',
  systems: [{ name: 'Godwit' }],
  async run(_system, { runs }) {
    const pages = await servePages()
    try {
      return await withDemo(pages.url, async server => {
        const url = `${pages.url}/sync.html?server=${encodeURIComponent(server)}`
        const [inNode, inBrowser, ratio, longest, waits]: number[][] = [[], [], [], [], []]
        const taken: Figures[][] = []
        for (let run = 0; run < runs; run++) {
          const node = await syncInNode(server)
          await withChromium(async context => {
            const page = await opened(context, url)
            const synced = (await page.evaluate('bench.sync()')) as AnswerTimes
            inNode?.push(node)
            inBrowser?.push(synced.seconds)
            ratio?.push(synced.seconds / node)
            longest?.push(synced.longest)
            waits?.push(...synced.waits)
            if (run < runs - 1) return
            taken.push([
              share('find of 20 by prefix, p95 ms', await numbers(page, `bench.find(${TIMES})`), 0.95),
              share('search of 20 by prefix, p95 ms', await numbers(page, `bench.search(${TIMES})`), 0.95),
              share('create → live query, p95 ms', await numbers(page, `bench.live(${TIMES})`), 0.95),
            ])
            const first: number[] = []
            for (let turn = 0; turn < runs; turn++) {
              await page.reload()
              first.push((await page.evaluate('bench.first()')) as number)
            }
            taken.push([{ measure: 'reload → first rows, ms', ...figure(first) }])
            const { other, waited } = await inTabs(context, page, url)
            taken.push([
              share('create → live query of another tab, p95 ms', other, 0.95),
              { measure: 'owner closed → the next answers, ms', ...figure([waited]) },
            ])
          })
        }
        return [
          { measure: 'first sync in Node, s', ...figure(inNode ?? []) },
          { measure: 'first sync in the browser, s', ...figure(inBrowser ?? []) },
          { measure: 'first sync, browser : Node', ...figure(ratio ?? []) },
          { measure: 'longest task of the page while it syncs, ms (0: none over 50)', ...figure(longest ?? []) },
          share('call of the page while it syncs, p99 ms', waits ?? [], 0.99),
          ...taken.flat(),
        ]
      })
    } finally {
      pages.close()
    }
  },
}
