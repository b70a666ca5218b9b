import { partOf, until } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { findChromium, findFirefox } from '../harness/browser.js'
import { openUnwatchedBrowser, type UnwatchedBrowser, type UnwatchedTab } from '../harness/unwatched-browser.js'
import { usePages } from './use-pages.js'

const BROWSERS = [
  { name: 'chrome', path: findChromium() },
  { name: 'firefox', path: findFirefox() },
] as const

const pages = usePages()
let browser: UnwatchedBrowser
afterEach(async () => {
  await browser?.close()
})

const openTab = () => browser.open(`${pages.url}/`)
const add = ({ page }: UnwatchedTab, text: string) => page.evaluate(`device.models.Draft.create({ text: '${text}' })`)
const texts = ({ page }: UnwatchedTab) =>
  page.evaluate('device.models.Draft.find().then(rows => rows.map(({ text }) => text).toSorted())')
const roleOf = ({ page }: UnwatchedTab) => page.evaluate('device.status.current().role')

type Pair = readonly [UnwatchedTab, UnwatchedTab]

async function openPair(): Promise<Pair> {
  const tabs = [await openTab(), await openTab()] as const
  await add(tabs[0], 'a')
  for (const tab of tabs) expect(await texts(tab)).toEqual(['a'])
  return tabs
}

/** The owner and the guest. While tabs open, a visible one that has no answer takes over from a hidden one. */
async function byRole([one, other]: Pair): Promise<Pair> {
  let owner: UnwatchedTab | undefined
  await until(async () => {
    for (const tab of [one, other]) if ((await roleOf(tab)) === 'owner') owner = tab
    return owner !== undefined
  })
  return owner === one ? [one, other] : [other, one]
}

/** Writes until it is told to end, and notes what was confirmed and what was not. */
const WRITE = `globalThis.confirmed = []
globalThis.failed = []
globalThis.writing = (async () => {
  for (let number = 0; !globalThis.isEnough; number++) {
    const text = name + ' ' + number
    await device.models.Draft.create({ text }).then(() => confirmed.push(text), error => failed.push([text, error.code]))
    await new Promise(resolve => setTimeout(resolve, 5))
  }
})()`

/** Asks for drafts live, and notes each state that is shown. */
const WATCH = `globalThis.shown = []
globalThis.live = device.models.Draft.live({ order: { text: 'asc' }, limit: limit })
live.subscribe(() => {
  const { status, rows, error } = live.current()
  shown.push([status, rows.map(({ text }) => text), error?.code ?? null])
})
0`
const watch = ({ page }: UnwatchedTab, limit: number) => page.evaluate(`globalThis.limit = ${limit}; ${WATCH}`)
const displayedIn = ({ page }: UnwatchedTab) => page.evaluate('shown') as Promise<readonly unknown[]>
const problemOf = ({ page }: UnwatchedTab) => page.evaluate('device.status.current().problem?.code')

describe.each(partOf(BROWSERS, BROWSERS.length))('in $name', ({ name, path }) => {
  const inBrowser = path === undefined ? test.skip : test
  // Which process runs a tab is told by Linux alone.
  const onLinux = process.platform === 'linux' ? inBrowser : test.skip
  beforeEach(async () => {
    if (path !== undefined) browser = await openUnwatchedBrowser(name, path)
  }, 120_000)

  // Firefox freezes no tab.
  if (name === 'chrome') {
    onLinux('a tab takes over from an owner that the browser freezes, and has what was stored', async () => {
      const [first, second] = await byRole(await openPair())
      await first.page.evaluate(`globalThis.lives = []
for (const type of ['freeze', 'resume']) document.addEventListener(type, () => lives.push(type))`)
      await first.freeze()
      await add(second, 'b')
      expect(await texts(second)).toEqual(['a', 'b'])
      expect(await roleOf(second)).toBe('owner')
      await first.thaw()
      await first.show()
      await add(first, 'c')
      expect(await first.page.evaluate('lives')).toEqual(['freeze', 'resume'])
      expect(await roleOf(first)).toBe('guest')
      for (const tab of [first, second]) expect(await texts(tab)).toEqual(['a', 'b', 'c'])
    })

    onLinux(
      'nothing confirmed is lost or doubled when one owner after the other is frozen while it writes',
      async () => {
        const tabs = await openPair()
        for (const [at, { page }] of tabs.entries()) await page.evaluate(`globalThis.name = 'tab ${at}'; ${WRITE}; 0`)
        const confirmedBy = async ({ page }: UnwatchedTab) => (await page.evaluate('confirmed')) as readonly string[]
        for (let round = 0; round < 6; round++) {
          const [owner, guest] = await byRole(tabs)
          await guest.show()
          await owner.freeze()
          const before = (await confirmedBy(guest)).length
          await until(async () => (await confirmedBy(guest)).length > before + 20)
          expect(await roleOf(guest)).toBe('owner')
          await owner.thaw()
        }
        const confirmed = ['a']
        for (const tab of tabs) {
          await tab.show()
          await tab.page.evaluate('globalThis.isEnough = true; writing.then(() => 0)')
          confirmed.push(...(await confirmedBy(tab)))
        }
        for (const tab of tabs) {
          expect(await tab.page.evaluate('failed')).toEqual([])
          expect(await texts(tab)).toEqual(confirmed.toSorted())
        }
      },
      180_000,
    )
  }

  onLinux('beside an owner whose process is stopped a call says so, and is done once when it is repeated', async () => {
    const [first, second] = await byRole(await openPair())
    process.kill(first.processId, 'SIGSTOP')
    const error = await second.page.evaluate(`device.models.Draft.create({ text: 'b' }).catch(error => {
      globalThis.left = error
      return { code: error.code, message: error.message }
    })`)
    expect(error).toEqual({
      code: 'owner_silent',
      message:
        'The device did not respond to create in time, and it may or may not have been done. Call repeat(error), which does it only once.',
    })
    process.kill(first.processId, 'SIGCONT')
    await second.page.evaluate('device.repeat(left).then(() => 0)')
    for (const tab of [first, second]) expect(await texts(tab)).toEqual(['a', 'b'])
    expect(await roleOf(second)).toBe('guest')
  })

  onLinux('live queries beside an owner whose process is stopped say that they wait, and then go on', async () => {
    const [first, second] = await byRole(await openPair())
    await watch(second, 7)
    await until(async () => (await displayedIn(second)).length > 0)
    process.kill(first.processId, 'SIGSTOP')
    const answered = await second.page.evaluateHandle('live')
    await watch(second, 8)
    await until(async () => (await problemOf(second)) === 'owner_silent')
    expect(await displayedIn(second)).toEqual([['failed', [], 'owner_silent']])
    expect(await answered.evaluate(live => (live as { current(): { status: string } }).current().status)).toBe('ready')
    process.kill(first.processId, 'SIGCONT')
    await until(async () => (await displayedIn(second)).length > 1)
    expect((await displayedIn(second)).at(-1)).toEqual(['ready', ['a'], null])
    await until(async () => (await problemOf(second)) === undefined)
    await add(first, 'b')
    await until(async () => (await displayedIn(second)).length > 2)
    expect((await displayedIn(second)).at(-1)).toEqual(['ready', ['a', 'b'], null])
    expect(await roleOf(second)).toBe('guest')
  })

  onLinux('a tab that opens beside an owner whose process is stopped says that it waits, and then opens', async () => {
    const owner = await openTab()
    await add(owner, 'a')
    // Firefox makes no tab while a process is stopped.
    const late = await browser.open('about:blank')
    process.kill(owner.processId, 'SIGSTOP')
    await late.page.goto(`${pages.url}/`)
    await watch(late, 7)
    await until(async () => (await problemOf(late)) === 'owner_silent')
    expect(await displayedIn(late)).toEqual([['failed', [], 'owner_silent']])
    process.kill(owner.processId, 'SIGCONT')
    await until(async () => (await problemOf(late)) === undefined)
    await until(async () => (await displayedIn(late)).length > 1)
    expect((await displayedIn(late)).at(-1)).toEqual(['ready', ['a'], null])
  })

  onLinux('a tab takes over once the stopped process of the owner is ended', async () => {
    const [first, second] = await byRole(await openPair())
    process.kill(first.processId, 'SIGSTOP')
    const adding = add(second, 'b')
    process.kill(first.processId, 'SIGKILL')
    await adding
    expect(await texts(second)).toEqual(['a', 'b'])
    expect(await roleOf(second)).toBe('owner')
  })
})
