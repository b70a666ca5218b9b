import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '@godwit/store-sqlite'
import type { Page } from 'playwright-core'
import { findChromium, openBrowser } from '../harness/browser.js'
import { PAGES, signedIn } from './visit.js'
import { type ConsoleWorld, openWorld, pull } from './world.js'

const [objects = 1_000_000, users = 2000, devices = 500] = process.argv.slice(2).map(Number)

/** The 99th of a hundred, in milliseconds. */
const p99 = (all: readonly number[]): number =>
  Math.round(([...all].sort((one, other) => one - other)[Math.floor(all.length * 0.99)] ?? 0) * 10) / 10

/** Devices that sync one after the other for so long; how long their pulls took. */
async function syncing({ url, devices }: ConsoleWorld, milliseconds: number): Promise<readonly number[]> {
  const took: number[] = []
  const end = performance.now() + milliseconds
  for (let n = 0; performance.now() < end; n++) {
    const begun = performance.now()
    await pull(url, devices[n % devices.length]?.headers ?? {}, 'Visit')
    took.push(performance.now() - begun)
  }
  return took
}

/** Milliseconds from the click to the heading, and to data in place of what tells that it loads. */
interface PageTimes {
  readonly heading: number
  readonly data: number
  /** The request that ended last: when it was sent, and when its answer was there. */
  readonly request?: readonly [address: string, sent: number, answered: number]
}

/** Measured in the page, so that the way to the browser does not count. */
const open = (page: Page, path: string, title: string): Promise<PageTimes> =>
  page.evaluate(`new Promise(resolve => {
    const begun = performance.now()
    let heading
    const look = () => {
      heading ??= document.querySelector('h1')?.textContent === ${JSON.stringify(title)} ? performance.now() - begun : undefined
      const main = document.querySelector('main')
      const waits = !main || main.querySelector('.spinner') || /Loading…/.test(main.textContent)
      if (heading === undefined || waits) return requestAnimationFrame(look)
      const data = Math.round(performance.now() - begun)
      const [last] = performance.getEntriesByType('resource')
        .filter(({ startTime, name }) => startTime >= begun && name.includes('/rc/'))
        .sort((one, other) => other.responseEnd - one.responseEnd)
      const request = last && [new URL(last.name).pathname, ...[last.startTime, last.responseEnd].map(at => Math.round(at - begun))]
      resolve({ heading: Math.round(heading), data, ...(request && { request }) })
    }
    location.hash = ${JSON.stringify(`#/${path}`)}
    requestAnimationFrame(look)
  })`)

/** Milliseconds that the server took for routes of the console: half of the requests, and 95 of 100. */
async function serverTimes({ admin }: ConsoleWorld): Promise<Record<string, readonly number[]>> {
  const { requests } = await admin.system.state()
  const displayed = requests.filter(({ route }) => !route.startsWith('device.') && !route.startsWith('plugin.'))
  return Object.fromEntries(
    displayed.map(({ route, count, p50, p95 }) => [
      route,
      [count, Math.round(p50 * 1e4) / 10, Math.round(p95 * 1e4) / 10],
    ]),
  )
}

const chromium = findChromium()
if (chromium === undefined) throw new Error('There is no Chromium: name one by TEST_CHROMIUM.')
const folder = mkdtempSync(join(tmpdir(), 'godwit-console-'))
const store = await openSqliteStore(join(folder, 'store.sqlite'))
const world = await openWorld({ store, objects, users, devices })
const browser = await openBrowser(chromium)
try {
  const alone = await syncing(world, 10_000)
  const { page } = await signedIn(browser, world, 'admin')
  const watched = await syncing(world, 10_000)
  const busy = syncing(world, 25_000)
  const visits: Record<string, PageTimes>[] = []
  while (visits.length < 3) {
    const visit: Record<string, PageTimes> = {}
    for (const [path, title] of PAGES)
      visit[path] = await open(page, path === 'objects' ? 'objects?source=Product' : path, title)
    visits.push(visit)
  }
  const [first, ...again] = visits
  await busy
  const routes = await serverTimes(world)
  const figures = {
    objects,
    users,
    devices,
    first,
    again,
    routes,
    pull_p99: { alone: p99(alone), console_open: p99(watched) },
  }
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`)
} finally {
  await browser.close()
  await world.server.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
}
