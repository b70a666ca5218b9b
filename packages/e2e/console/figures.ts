import { findChromium, openBrowser } from '../harness/browser.js'
import { PAGES, signedIn } from './visit.js'
import { openWorld, pull, type World } from './world.js'

const [objects = 1_000_000, users = 2000, devices = 500] = process.argv.slice(2).map(Number)

/** The 99th of a hundred, in milliseconds. */
const p99 = (all: readonly number[]): number =>
  Math.round(([...all].sort((one, other) => one - other)[Math.floor(all.length * 0.99)] ?? 0) * 10) / 10

/** Devices that sync one after the other for so long; how long their pulls took. */
async function syncing({ url, devices }: World, milliseconds: number): Promise<readonly number[]> {
  const took: number[] = []
  const end = performance.now() + milliseconds
  for (let n = 0; performance.now() < end; n++) {
    const begun = performance.now()
    await pull(url, devices[n % devices.length]?.headers ?? {}, 'Visit')
    took.push(performance.now() - begun)
  }
  return took
}

const chromium = findChromium()
if (chromium === undefined) throw new Error('There is no Chromium: name one by TEST_CHROMIUM.')
const world = await openWorld({ objects, users, devices })
const browser = await openBrowser(chromium)
try {
  const alone = await syncing(world, 10_000)
  const { page } = await signedIn(browser, world, 'admin')
  const watched = await syncing(world, 10_000)
  const busy = syncing(world, 25_000)
  const first: Record<string, number> = {}
  for (const [path, title] of PAGES) {
    const shown = page.getByRole('heading', { level: 1, name: title })
    const begun = performance.now()
    await page.evaluate(
      `location.hash = ${JSON.stringify(path === 'objects' ? '#/objects?source=Product' : `#/${path}`)}`,
    )
    await shown.waitFor()
    if (path === 'objects') await page.getByRole('row').nth(5).waitFor()
    first[path] = Math.round(performance.now() - begun)
  }
  await busy
  const figures = { objects, users, devices, first, pull_p99: { alone: p99(alone), console_open: p99(watched) } }
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`)
} finally {
  await browser.close()
  await world.server.close()
}
