import type { BrowserContext, Page } from 'playwright-core'
import { withChromium } from '../browser/chromium.js'
import { servePages } from '../browser/pages.js'
import { figure, share } from '../measure.js'
import { syncCities, withDemo } from './demo.js'
import type { Result, Workload } from './workload.js'

type Figures = Omit<Result, 'workload' | 'system'>

const TIMES = 100

/** Measurements of a page while it answered calls. */
export interface AnswerTimes {
  readonly seconds: number
  readonly longest: number
  readonly waits: readonly number[]
}

async function openPage(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  await page.evaluate('bench.ready()')
  return page
}

const numbers = (page: Page, call: string) => page.evaluate(call) as Promise<readonly number[]>

/** Measures how long a write in one tab takes to appear in another, and how long the other's calls wait after the first tab closes. */
async function inTabs(context: BrowserContext, first: Page, url: string) {
  const second = await openPage(context, url)
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

/** A device in a browser and one in Node, with the cities of the demo. */
export const browserSync: Workload<{ readonly name: string }> = {
  name: 'browser, sync',
  systems: [{ name: 'Godwit' }],
  async run(_system, { runs }) {
    const pages = await servePages()
    try {
      return await withDemo({ origin: pages.url }, async server => {
        const url = `${pages.url}/sync.html?server=${encodeURIComponent(server)}`
        const [inNode, inBrowser, ratio, longest, waits]: number[][] = [[], [], [], [], []]
        const taken: Figures[][] = []
        for (let run = 0; run < runs; run++) {
          const node = await syncCities(server)
          await withChromium(async context => {
            const page = await openPage(context, url)
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
