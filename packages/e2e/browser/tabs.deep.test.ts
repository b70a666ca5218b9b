import { expect } from '@jest/globals'
import { inEachBrowser } from '../harness/in-each-browser.js'
import type { Tab } from '../harness/tabs.js'
import { openTab } from './app.js'
import { usePages } from './use-pages.js'

const pages = usePages()

const create = (page: Tab, text: string) =>
  page.evaluate(`device.models.Draft.create({ text: ${JSON.stringify(text)} })`)
const texts = (page: Tab) =>
  page.evaluate(`device.models.Draft.find({ order: { text: 'asc' } }).then(rows => rows.map(row => row.text))`)
const roleOf = (page: Tab) => page.evaluate('device.status.current().role')

const SLOW_PAGE_LOCK = `
const request = LockManager.prototype.request
LockManager.prototype.request = async function (name, ...rest) {
  if (name.includes(':page:')) await new Promise(resolve => setTimeout(resolve, 500))
  return request.call(this, name, ...rest)
}`

const STEAL_PAGE_LOCKS = `navigator.locks.query().then(async ({ held }) => {
  for (const { name } of held.filter(({ name }) => name.includes(':page:')))
    await navigator.locks.request(name, { steal: true }, () => {})
})`

const NO_FILES = `Object.defineProperty(StorageManager.prototype, 'getDirectory', { value: undefined })`

inEachBrowser(({ test, newProfile }) => {
  test('rows are there after a reload, on disk', async () => {
    const profile = await newProfile()
    const page = await openTab(profile, pages)
    await create(page, 'kept')
    expect(await page.evaluate('device.actions.addAll(["one", "two"])')).toBe(2)
    expect(await page.evaluate('device.status.current()')).toMatchObject({
      role: 'owner',
      durable: true,
      problem: null,
    })
    await page.reload()
    expect(await texts(page)).toEqual(['kept', 'one', 'two'])
  })

  test('two tabs see the rows of each other, and when the owner is closed the other goes on', async () => {
    const profile = await newProfile()
    const first = await openTab(profile, pages)
    await create(first, 'a')
    const second = await openTab(profile, pages)
    await second.evaluate(
      `window.seen = []; device.models.Draft.observe({}, rows => { seen.push(rows.map(row => row.text).toSorted().join()) }); 0`,
    )
    expect(await texts(second)).toEqual(['a'])
    expect([await roleOf(first), await roleOf(second)]).toEqual(['owner', 'guest'])
    await create(first, 'b')
    await second.waitFor(`seen.at(-1) === 'a,b'`)
    await create(second, 'c')
    expect(await texts(first)).toEqual(['a', 'b', 'c'])
    await first.close()
    expect(await texts(second)).toEqual(['a', 'b', 'c'])
    expect(await roleOf(second)).toBe('owner')
    await create(second, 'd')
    await second.waitFor(`seen.at(-1) === 'a,b,c,d'`)
  })

  test('of five tabs opened at once each answers, and nothing is doubled', async () => {
    const profile = await newProfile()
    const tabs = await Promise.all(Array.from({ length: 5 }, () => openTab(profile, pages)))
    await Promise.all(tabs.map((tab, at) => create(tab, `from ${at}`)))
    const expected = tabs.map((_, at) => `from ${at}`)
    for (const tab of tabs) expect(await texts(tab)).toEqual(expected)
  })

  test('an owner that is frozen lets go, and is a guest when it comes back', async () => {
    const profile = await newProfile()
    const first = await openTab(profile, pages)
    await create(first, 'a')
    const second = await openTab(profile, pages)
    expect(await texts(second)).toEqual(['a'])
    await first.evaluate(`document.dispatchEvent(new Event('freeze'))`)
    await create(second, 'b')
    expect(await roleOf(second)).toBe('owner')
    await first.evaluate(`document.dispatchEvent(new Event('resume'))`)
    expect(await texts(first)).toEqual(['a', 'b'])
    await create(first, 'c')
    expect(await texts(second)).toEqual(['a', 'b', 'c'])
  })

  test('a page whose lock comes late is not taken for gone', async () => {
    const profile = await newProfile()
    const first = await openTab(profile, pages)
    await create(first, 'a')
    const second = await openTab(profile, pages, {}, SLOW_PAGE_LOCK)
    expect(await texts(second)).toEqual(['a'])
    await create(second, 'b')
    expect(await texts(second)).toEqual(['a', 'b'])
  })

  test('a page that was taken for gone is served again, its live queries too', async () => {
    const profile = await newProfile()
    const first = await openTab(profile, pages)
    await create(first, 'a')
    const second = await openTab(profile, pages)
    await second.evaluate(
      `window.seen = []; device.models.Draft.observe({}, rows => { seen.push(rows.map(row => row.text).toSorted().join()) }); 0`,
    )
    await second.waitFor(`seen.at(-1) === 'a'`)
    await first.evaluate(STEAL_PAGE_LOCKS)
    await create(second, 'b')
    expect(await texts(second)).toEqual(['a', 'b'])
    await create(first, 'c')
    await second.waitFor(`seen.at(-1) === 'a,b,c'`)
  })

  test('without private files a device is in memory, and says so', async () => {
    const profile = await newProfile()
    const page = await openTab(profile, pages, {}, NO_FILES)
    await create(page, 'in memory')
    expect(await texts(page)).toEqual(['in memory'])
    expect(await page.evaluate('device.status.current()')).toMatchObject({ storage: 'memory', durable: false })
    const told = await page.evaluate('events.filter(({ kind }) => kind === "error").map(({ error }) => error.message)')
    expect(told).toEqual([
      expect.stringMatching(/^Data is stored in memory only and is lost when this page closes: .* no private files\.$/),
    ])
    await page.reload()
    expect(await texts(page)).toEqual([])
  })

  test('a page is asked to stay while changes wait in memory, and no longer once its device is closed', async () => {
    const page = await openTab(await newProfile(), pages, {}, NO_FILES)
    const isRequested = `!dispatchEvent(new Event('beforeunload', { cancelable: true }))`
    expect(await page.evaluate(isRequested)).toBe(false)
    await page.evaluate(`device.models.Note.create({ text: 'unsent' }).then(() => 0)`)
    await page.waitFor(isRequested)
    await page.evaluate('device.close()')
    expect(await page.evaluate(isRequested)).toBe(false)
  })

  test('where data has to be kept, calls fail with the reason', async () => {
    const profile = await newProfile()
    const page = await openTab(profile, pages, { require: '1' }, NO_FILES)
    const failed = `device.models.Draft.find().catch(({ code, message }) => ({ code, message }))`
    expect(await page.evaluate(failed)).toEqual({
      code: 'database_failed',
      message: 'This page cannot store data on this device: this browser has no private files.',
    })
  })
})
