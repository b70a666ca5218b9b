import { afterEach, expect } from '@jest/globals'
import { inEachBrowser } from '../harness/in-each-browser.js'
import type { Tab } from '../harness/tabs.js'
import { type NotesServer, openTab, serveNotes } from './app.js'
import { usePages } from './use-pages.js'

/** The clock of a page or a worker, which a message sets for all of an origin: as on a device, nothing is called before all have it. */
const CLOCK = `
const ThisDate = Date
const now = ThisDate.now
let shift = Number(new URLSearchParams(location.search).get('shift'))
globalThis.Date = class extends ThisDate {
  constructor(...given) { given.length === 0 ? super(now() + shift) : super(...given) }
  static now() { return now() + shift }
}
const clock = new BroadcastChannel('clock')
let isHeard = () => {}
clock.onmessage = ({ data }) => {
  if (data.isHeard) return isHeard()
  shift = data.shift
  if (!globalThis.document) clock.postMessage({ isHeard: true })
}
const ThisWorker = globalThis.Worker
globalThis.Worker = class extends ThisWorker {
  constructor(address, options) { super(address + '?shift=' + shift, options) }
}
globalThis.setClock = (by, workers) => {
  shift = by
  clock.postMessage({ shift })
  return new Promise(resolve => { isHeard = () => --workers === 0 && resolve() })
}`

/** A page that counts the workers it starts, and what it asks of them. */
const COUNTING = `
globalThis.counts = { started: 0, pings: 0 }
const CountedWorker = globalThis.Worker
globalThis.Worker = class extends CountedWorker {
  constructor(...given) {
    super(...given)
    counts.started++
  }
  postMessage(message, ...rest) {
    if (message.owner === 'ping') counts.pings++
    super.postMessage(message, ...rest)
  }
}`

/** A worker that leaves the first two pings without an answer. */
const LATE = `
const post = globalThis.postMessage.bind(globalThis)
let pongs = 0
globalThis.postMessage = (message, ...rest) => {
  if (message.worker !== 'pong' || ++pongs > 2) post(message, ...rest)
}`

const HOUR = 3_600_000

const pages = usePages({ clock: CLOCK, late: LATE })
let world: NotesServer
afterEach(async () => {
  await world?.server.close()
})

const add = (page: Tab, text: string) =>
  page.evaluate(`device.models.Note.create({ text: '${text}' }).then(row => row.text)`)
const texts = (page: Tab) =>
  page.evaluate('device.models.Note.find().then(rows => rows.map(({ text }) => text).toSorted())')

inEachBrowser(({ test, newProfile }) => {
  test.each([
    ['back', -26 * HOUR],
    ['forward', 26 * HOUR],
  ])('devices whose clock is set %s go on, hand over, and send each change once', async (_, shift) => {
    world = await serveNotes([pages.url])
    const profile = await newProfile()
    const open = () => openTab(profile, pages, { server: world.url, worker: '/clock.js' }, CLOCK)
    const [first, second] = [await open(), await open()]
    await first.evaluate(`device.login('ada', 'ada').then(() => device.sync())`)
    await add(first, 'a')
    await second.evaluate(
      `window.seen = []; device.models.Note.observe({}, rows => { seen.push(rows.map(row => row.text).toSorted().join()) }); 0`,
    )
    // Each page has a worker, of which one has the device.
    await first.evaluate(`setClock(${shift}, 2)`)
    await add(first, 'b')
    await add(second, 'c')
    await second.waitFor(`seen.at(-1) === 'a,b,c'`)
    await first.close()
    await add(second, 'd')
    expect(await texts(second)).toEqual(['a', 'b', 'c', 'd'])
    await second.evaluate('setClock(0, 1)')
    await add(second, 'e')
    await second.waitFor('device.sync().then(() => device.status.current().waiting === 0)', { every: 500 })
    expect([...world.notes.values()].map(({ text }) => text).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(await texts(second)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('a clock that is set forward while a worker has not answered yet does not end that worker', async () => {
    world = await serveNotes([pages.url])
    const page = await openTab(await newProfile(), pages, { worker: '/late.js' }, CLOCK + COUNTING)
    await page.evaluate('device.models.Draft.count()')
    await page.waitFor('counts.pings >= 1')
    await page.evaluate(`void setClock(${26 * HOUR})`)
    await page.waitFor('counts.pings >= 2')
    expect(await page.evaluate('counts.started')).toBe(1)
  })
})
