import { afterAll, beforeAll, expect } from '@jest/globals'
import { accessibilityProblems } from '../harness/accessibility.js'
import { inEachBrowser } from '../harness/in-each-browser.js'
import { endAll } from '../harness/process.js'
import { startServer } from '../harness/server-process.js'
import type { Tab } from '../harness/tabs.js'
import { waitFromOutside as waitFor } from '../harness/wait-from-outside.js'
import { holdServer } from './held-server.js'

/** Runs before the scripts of the page. */
const HELPERS = `
globalThis.button = words => [...document.querySelectorAll('button')].find(one => one.textContent.trim().startsWith(words))
globalThis.visitOf = words => [...document.querySelectorAll('.visits li')].find(one => one.textContent.includes(words))
globalThis.editor = part => document.querySelector('.editor[open] ' + part)
globalThis.note = text => {
  const field = editor('textarea')
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
`

let url: string
const servers: { close(): void }[] = []
beforeAll(async () => {
  url = (await startServer({ store: 'memory:', environment: { SYNC_DEMO_VISITS: 'true' } })).url
}, 120_000)
afterAll(async () => {
  for (const server of servers) server.close()
  await endAll()
})

const run = (tab: Tab, script: string) => tab.evaluate(`void (${script})`)
const count = (tab: Tab, selector: string) => tab.evaluate(`document.querySelectorAll('${selector}').length`)

inEachBrowser(({ test, newProfile }) => {
  test('the first minute: who made it, own visits first, what to try, typed text, unsent changes', async () => {
    const server = await holdServer(url)
    servers.push(server)
    // The cities never come: the visits do not wait for them.
    server.hold(/\/City\/pull/)
    const tab = await (await newProfile()).open(server.url, HELPERS)
    await waitFor(tab, `document.querySelector('.sign-in [type=submit]')`)
    const links = (await tab.evaluate(`[...document.querySelectorAll('.about a')].map(({ href }) => href)`)) as string[]
    expect(await Promise.all(links.map(async link => (await fetch(link)).status))).toEqual([200, 200])
    expect(await tab.evaluate(`document.querySelector('.about').textContent`)).toContain('a demo of Godwit')
    await run(tab, `document.querySelector('.sign-in [type=submit]').click()`)
    await waitFor(tab, `document.querySelectorAll('.visits li').length === 3 && visitOf('Lisbon: ')`)
    expect(await tab.evaluate(`document.querySelector('.counter strong').textContent`)).toBe('0')
    expect(await accessibilityProblems(tab)).toEqual([])

    await run(tab, `document.querySelector('[aria-label="Hide the things to try"]').click()`)
    await waitFor(tab, `!document.querySelector('.try')`)
    await tab.reload()
    await waitFor(tab, `visitOf('Lisbon: ')`)
    expect(await count(tab, '.try')).toBe(0)

    expect(await tab.evaluate(`document.querySelector('[role=switch]').textContent`)).toBe('Network')
    await run(tab, `document.querySelector('[role=switch]').click()`)
    await waitFor(tab, `document.querySelector('[role=switch]').ariaChecked === 'false'`)
    await run(tab, `visitOf('Lisbon: ').querySelector('.visit').click()`)
    await waitFor(tab, `editor('textarea')`)
    await run(tab, `note('typed')`)
    await run(tab, `editor('textarea').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))`)
    await waitFor(tab, `document.body.textContent.includes('Discard what you entered?')`)
    await run(tab, `button('Keep editing').click()`)
    expect(await tab.evaluate(`editor('textarea').value`)).toBe('typed')
    await run(tab, `editor('form').requestSubmit()`)
    await waitFor(tab, `document.querySelector('.sync-note').textContent.includes('1 waiting')`)

    await run(tab, `button('Sign out').click()`)
    await waitFor(tab, `editor('h2')?.textContent === '1 unsent change'`)
    expect(await accessibilityProblems(tab)).toEqual([])
    await run(tab, `button('Stay signed in').click()`)
  }, 300_000)
})
