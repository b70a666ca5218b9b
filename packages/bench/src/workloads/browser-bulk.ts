import type { BrowserContext } from 'playwright-core'
import { withChromium } from '../browser/chromium.js'
import { servePages } from '../browser/pages.js'
import { figure, share } from '../measure.js'
import { godwit } from '../systems/godwit.js'
import type { System } from '../systems/system.js'
import type { AnswerTimes } from './browser-sync.js'
import { firstSync } from './large-sync.js'
import { fill, withSystem } from './with-system.js'
import type { Workload } from './workload.js'

type LoadTimes = AnswerTimes & { readonly objects: number }

/** Loads a million objects as bulk data in a page that animates and makes calls, and in Node. */
export const browserBulk: Workload = {
  name: 'browser, bulk',
  systems: [godwit],
  async run(kind, { large, runs }) {
    const pages = await servePages()
    const measure = async (system: System) => {
      await fill(system, 'ada', 0, large)
      ;(await system.client('ada')).close()
      // The first request makes the server build the file.
      await firstSync(system.url, 'fixed', 'bulk')
      const url = `${pages.url}/bulk.html?server=${encodeURIComponent(system.url)}`
      const inNode: number[] = []
      const inBrowser: LoadTimes[] = []
      for (let run = 0; run < Math.min(runs, 3); run++) {
        inNode.push((await firstSync(system.url, 'fixed', 'bulk')).seconds)
        inBrowser.push(await withChromium(context => measureLoad(context, url)))
      }
      if (inBrowser.some(({ objects }) => objects !== large)) throw new Error('objects are missing on the device')
      const of = `${large.toLocaleString('en-US')} objects`
      const waits = inBrowser.flatMap(({ waits }) => waits)
      const longest = inBrowser.map(({ longest }) => longest)
      return [
        { measure: `${of} in Node, s`, ...figure(inNode) },
        { measure: `${of} in the browser, s`, ...figure(inBrowser.map(({ seconds }) => seconds)) },
        { measure: 'longest task of the page meanwhile, ms (0: none over 50)', ...figure(longest) },
        share('find of 20 meanwhile, p50 ms', waits, 0.5),
        share('find of 20 meanwhile, p99 ms', waits, 0.99),
      ]
    }
    try {
      return await withSystem(kind, measure, pages.url)
    } finally {
      pages.close()
    }
  },
}

async function measureLoad(context: BrowserContext, url: string): Promise<LoadTimes> {
  const page = await context.newPage()
  await page.goto(url)
  return (await page.evaluate('bench.bulk()')) as LoadTimes
}
