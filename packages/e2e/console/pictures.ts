import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { findChromium, openBrowser } from '../harness/browser.js'
import { go, PAGES, signedIn } from './visit.js'
import { type ConsoleWorld, openWorld, refuseVisit } from './world.js'
import { feedsOfConsole } from './world-of-feeds.js'

const WIDTHS = [390, 820, 1440]

/** Pages as they are shown beside their names; some with what opens in them. */
const DISPLAYED: readonly (readonly [name: string, path: string])[] = [
  ...PAGES.map(([path]) => [path, path === 'objects' ? 'objects?source=Product' : path] as const),
  ['source', 'sources?open=Product'],
  ['object', 'objects?source=Product&open=1000007'],
  ['history', 'objects?source=Product&open=1000009'],
  ['copy', 'sources?open=Visit&user=user0001'],
  ['user', 'users?open=user0001'],
  ['explained', 'explain?source=Product&user=user0001&object=1000007'],
]

/** What opens under an id that the server gives. */
async function pagesWithIds({ admin, devices }: ConsoleWorld): Promise<typeof DISPLAYED> {
  const [doubtful] = await admin.operations.undecided()
  const [refused] = (await admin.operations.refusals()).refusals
  return [
    ['mutation', `mutations?open=${doubtful?.id}`],
    ['refused', 'mutations?state=refused'],
    ['refusal', `mutations?state=refused&open=${refused?.id}`],
    ['device', `devices?open=${devices[0]?.client}`],
  ]
}

/** Writes of every kind, for the history of an object and the list of what was refused. */
async function writeMore(world: ConsoleWorld): Promise<void> {
  const { push, users } = world.admin
  for (const stock of [4, 9]) await push.objects('Product', '*', { '1000009': { name: 'Chair 9', stock } })
  await users.writeDocument('*', 'Product', 'md', { '1000009': { note: 'counted' } }, { append: true })
  for (const place of [1, 2, 3]) await refuseVisit(world, place)
}

/** A question, as it stands before something is done. */
const QUESTIONS = [['sign-out', 'Sign out…']] as const

type Format = 'webp' | 'png'

async function pictureOf(page: Page, format: Format): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  const quality = format === 'webp' ? { quality: 80 } : {}
  const { data } = await session.send('Page.captureScreenshot', { format, ...quality })
  await session.detach()
  return Buffer.from(data, 'base64')
}

/** Takes pictures of pages, at three widths, light and dark, into a folder. Some: of these alone. */
export async function takePictures(
  folder: string,
  some: readonly string[],
  widths: readonly number[],
  format: Format,
): Promise<void> {
  const chromium = findChromium()
  if (chromium === undefined) throw new Error('There is no Chromium: name one by TEST_CHROMIUM.')
  mkdirSync(folder, { recursive: true })
  const world = await openWorld(await feedsOfConsole())
  await writeMore(world)
  const browser = await openBrowser(chromium)
  try {
    for (const width of widths) {
      for (const dark of [false, true]) {
        const { page, complaints } = await signedIn(browser, world, 'admin', { width, dark })
        for (const [name, path] of [...DISPLAYED, ...(await pagesWithIds(world))]) {
          if (some.length > 0 && !some.includes(name)) continue
          await go(page, path)
          await page.waitForTimeout(600)
          const file = (of: string) => join(folder, `${of}-${width}-${dark ? 'dark' : 'light'}.${format}`)
          writeFileSync(file(name), await pictureOf(page, format))
          for (const [question, button] of name === 'device' ? QUESTIONS : []) {
            await page.getByRole('button', { name: button, exact: true }).click()
            writeFileSync(file(question), await pictureOf(page, format))
            await page.keyboard.press('Escape')
          }
        }
        if (some.length === 0 || some.includes('api')) {
          await page.goto(`${world.url}/docs#operations.settle`)
          await page.waitForTimeout(600)
          writeFileSync(
            join(folder, `api-${width}-${dark ? 'dark' : 'light'}.${format}`),
            await pictureOf(page, format),
          )
        }
        for (const complaint of complaints) process.stderr.write(`${complaint}\n`)
        await page.close()
      }
    }
  } finally {
    await browser.close()
    await world.server.close()
  }
}

const [folder = 'pictures', names = '', widths = '', format = 'webp'] = process.argv.slice(2)
const list = (text: string): readonly string[] => text.split(',').filter(one => one !== '')
const chosen = widths === '' ? WIDTHS : list(widths).map(Number)
await takePictures(folder, list(names), chosen, format === 'png' ? 'png' : 'webp')
