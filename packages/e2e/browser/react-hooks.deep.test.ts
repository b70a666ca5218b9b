import { afterAll, afterEach, beforeAll, expect } from '@jest/globals'
import { bundleForBrowser, type StaticServer, serveFiles, sqliteWasm } from '../harness/browser-bundle.js'
import { inEachBrowser } from '../harness/in-each-browser.js'
import type { Tab } from '../harness/tabs.js'
import { type NotesServer, openTab, serveNotes } from './app.js'

/** A page with a form over a note, the sync state of two models, and every error that no call waits for. */
const PAGE = `
import { openDevice } from '@godwit/model/browser'
import { createElement as e, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Draft, Note, Place } from '../e2e/browser/worker/visits.js'
import { DeviceProvider, useDevice, useDraft, useQuery, useSourceStatus, useSyncStatus } from './src/index.js'

const given = new URLSearchParams(location.search)
const device = openDevice({
  name: 'hooks', server: given.get('server') ?? '/', models: { Note, Draft, Place },
  worker: () => new Worker('/worker.js?places', { type: 'module' }),
})
Object.assign(globalThis, { device, errors: [], warnings: [] })
new BroadcastChannel('warnings').onmessage = ({ data }) => warnings.push(data)

const stateOf = ({ synced, progress, error }) => synced ? 'synced' : progress ? 'receiving' : (error?.code ?? 'waiting')
function Sources() {
  return e('p', { id: 'sources' }, 'Note: ' + stateOf(useSourceStatus(Note)) + ', Place: ' + stateOf(useSourceStatus(Place)))
}
function Form({ id }) {
  const { draft, set, save, reset, dirty, changedElsewhere } = useDraft(useDevice().models.Note, id)
  if (!draft) return e('p', null, 'No note')
  return e('form', { onSubmit: event => { event.preventDefault(); void save() } },
    e('input', { value: draft.text ?? '', onChange: event => set({ text: event.target.value }) }),
    e('output', null, (dirty ? 'edited' : 'as saved') + ', changed elsewhere: ' + changedElsewhere.join()),
    e('button', { disabled: !dirty }, 'Save'),
    e('button', { type: 'button', onClick: reset }, 'Cancel'))
}
function Notes() {
  const { rows } = useQuery(useDevice().models.Note, { order: { text: 'asc' } })
  return e('div', null, e('ul', null, rows.map(({ id, text }) => e('li', { key: id }, text))), e(Form, { id: rows[0]?.id }))
}
function App() {
  const { connected, loggedIn } = useSyncStatus()
  return connected && loggedIn ? e('main', null, e(Sources), e(Notes)) : e('p', null, 'Log in')
}
createRoot(document.getElementById('root')).render(
  e(StrictMode, null, e(DeviceProvider, { device, onError: error => errors.push(error) }, e(App))))
`
const SEND_WARNINGS = `console.warn = (...texts) => new BroadcastChannel('warnings').postMessage(texts.join(' '))`

let pages: StaticServer
let world: NotesServer | undefined
beforeAll(async () => {
  const worker = await bundleForBrowser({ entry: 'packages/e2e/browser/worker/app-worker.ts' })
  pages = await serveFiles({
    '/index.html':
      '<!doctype html><title>app</title><div id="root"></div><script type="module" src="/page.js"></script>',
    '/page.js': await bundleForBrowser({ entry: { text: PAGE, folder: 'packages/react' } }),
    '/worker.js': `{${SEND_WARNINGS}}\n${worker}`,
    '/sqlite3.wasm': sqliteWasm(),
  })
}, 120_000)
afterEach(async () => {
  await world?.server.close()
  world = undefined
})
afterAll(() => pages?.close())

const type = (page: Tab, text: string) =>
  page.evaluate(`(() => {
    const input = document.querySelector('input')
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, ${JSON.stringify(text)})
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })()`)
const click = (page: Tab, name: string) =>
  page.evaluate(
    `[...document.querySelectorAll('button')].find(one => one.textContent === ${JSON.stringify(name)}).click()`,
  )
const shows = (page: Tab, selector: string, text: string) =>
  page.waitFor(`document.querySelector(${JSON.stringify(selector)})?.textContent === ${JSON.stringify(text)}`)
const inputValue = (page: Tab) => page.evaluate(`document.querySelector('input').value`)

inEachBrowser(({ test, newProfile }) => {
  test('a form, the sync state of a model, errors without a call and warnings reach a React page', async () => {
    world = await serveNotes([pages.url], { notes: new Map([['note-1', { text: 'by car' }]]) })
    const { notes } = world
    const page = await openTab(await newProfile(), pages, { server: world.url })
    await page.waitFor(`document.body.textContent.includes('Log in')`)
    await page.evaluate(`device.login('ada', 'ada').then(() => device.sync())`)
    await shows(page, '#sources', 'Note: synced, Place: source_not_found')
    await shows(page, 'output', 'as saved, changed elsewhere: ')

    await type(page, 'by train')
    await shows(page, 'output', 'edited, changed elsewhere: ')
    notes.set('note-1', { text: 'by bus' })
    await page.evaluate('device.sync()')
    await shows(page, 'output', 'edited, changed elsewhere: text')
    expect(await inputValue(page)).toBe('by train')
    await click(page, 'Cancel')
    await shows(page, 'output', 'as saved, changed elsewhere: ')
    expect(await inputValue(page)).toBe('by bus')

    await type(page, 'on foot')
    await click(page, 'Save')
    await shows(page, 'output', 'as saved, changed elsewhere: ')
    await shows(page, 'li', 'on foot')
    await page.evaluate('device.sync()')
    expect([...notes.values()]).toEqual([{ text: 'on foot' }])

    expect(await page.evaluate('errors.map(({ source, error }) => source + " " + error.code)')).toContain(
      'Place source_not_found',
    )
    await page.waitFor('warnings.length > 0')
    expect(await page.evaluate('warnings')).toEqual([expect.stringContaining('has no source "Place"')])
  })
})
