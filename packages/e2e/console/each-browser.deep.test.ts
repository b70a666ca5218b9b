import { afterAll, beforeAll, expect } from '@jest/globals'
import { holdServer } from '../browser/held-server.js'
import { ALL_IMPACTS, accessibilityProblems } from '../harness/accessibility.js'
import { inEachBrowser } from '../harness/in-each-browser.js'
import type { Tab } from '../harness/tabs.js'
import { waitFromOutside as waitFor } from '../harness/wait-from-outside.js'
import { PAGES } from './visit.js'
import { type ConsoleWorld, openWorld, PASSWORDS } from './world.js'

/** Finds and fills controls as people do: by their labels. Runs before the scripts of the page. */
const HELPERS = `
globalThis.button = words => [...document.querySelectorAll('button')].find(one => one.textContent.trim() === words)
globalThis.field = label => [...document.querySelectorAll('label')].find(one => one.textContent === label)?.control
globalThis.fill = (label, value) => {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field(label), value)
  field(label).dispatchEvent(new Event('input', { bubbles: true }))
}
globalThis.row = start => [...document.querySelectorAll('[role=row]')].find(one => one.textContent.startsWith(start))
globalThis.heads = () => [...document.querySelectorAll('[role=columnheader]')]
globalThis.drawer = title => document.querySelector('aside[aria-label="' + title + '"]')
globalThis.description = () =>
  document.getElementById(document.querySelector('[aria-invalid=true]')?.getAttribute('aria-describedby'))?.textContent
`
const LONG = 240_000

let world: ConsoleWorld
let server: Awaited<ReturnType<typeof holdServer>>
beforeAll(async () => {
  world = await openWorld({ objects: 400, users: 40, devices: 3 })
  server = await holdServer(world.url)
}, 120_000)
afterAll(async () => {
  server?.close()
  await world?.server.close()
})

const run = (tab: Tab, script: string) => tab.evaluate(`void (${script})`)
const go = (tab: Tab, path: string) => run(tab, `location.hash = ${JSON.stringify(`#/${path}`)}`)

inEachBrowser(({ test, newProfile }) => {
  async function signIn(): Promise<Tab> {
    const tab = await (await newProfile()).open(`${server.url}/console/`, HELPERS)
    await waitFor(tab, `field('Login')`)
    expect(await accessibilityProblems(tab, ALL_IMPACTS)).toEqual([])
    await run(tab, `fill('Login', 'admin')`)
    await run(tab, `fill('Password', ${JSON.stringify(PASSWORDS.admin)})`)
    await run(tab, `button('Sign in').click()`)
    await waitFor(tab, `document.querySelector('h1')?.textContent === 'Overview'`)
    return tab
  }

  test(
    'no page has a barrier, and one that was first opened while the server was down recovers',
    async () => {
      const tab = await signIn()
      const { url } = server
      server.close()
      await go(tab, 'tokens')
      await waitFor(tab, `document.querySelector('[role=alert]')`)
      server = await holdServer(world.url, Number(new URL(url).port))
      await waitFor(tab, `document.querySelector('[role=table][aria-label=Tokens], table[aria-label=Tokens]')`)
      await waitFor(tab, `!document.querySelector('[role=alert]')`)

      const found: string[] = []
      for (const [path, title] of PAGES) {
        await go(tab, path)
        await waitFor(tab, `document.querySelector('h1')?.textContent === ${JSON.stringify(title)}`)
        await waitFor(tab, `!document.querySelector('.state .spinner')`)
        for (const barrier of await accessibilityProblems(tab, ALL_IMPACTS)) found.push(`${path}: ${barrier}`)
      }
      expect(found).toEqual([])
    },
    LONG,
  )

  test(
    'questions close with their page, values are judged by name, rows open, headers stay, numbers are aligned',
    async () => {
      const tab = await signIn()
      await go(tab, 'users?open=user0002')
      await waitFor(tab, `button('Delete user0002…')`)
      await run(tab, `button('Delete user0002…').click()`)
      await waitFor(tab, `document.querySelector('dialog[open]')`)
      await go(tab, 'devices')
      await waitFor(tab, `!document.querySelector('dialog[open]')`)
      await waitFor(tab, `document.body.textContent.includes('Android · example.stock 4.2.0')`)

      await go(tab, 'sources?open=Visit')
      await waitFor(tab, `field('Priority')`)
      await run(tab, `fill('Priority', '0')`)
      await waitFor(tab, `description() === 'Priority is at least 1' && button('Change…').disabled`)

      await go(tab, 'users')
      await waitFor(tab, `row('user0004')`)
      await run(tab, `row('user0004').children[2].click()`)
      await waitFor(tab, `drawer('user0004')`)
      expect(
        await tab.evaluate(`(() => {
          const { textAlign, fontVariantNumeric } = getComputedStyle(heads().find(one => one.textContent === 'Devices'))
          return [textAlign, fontVariantNumeric]
        })()`),
      ).toEqual(['right', 'tabular-nums'])

      await go(tab, 'objects?source=Product')
      await waitFor(tab, `row('1000001')`)
      const top = await tab.evaluate('heads()[0].getBoundingClientRect().top')
      await run(tab, `document.querySelector('.table-scroll').scrollTop = 5000`)
      await waitFor(tab, `!row('1000001')`)
      expect(await tab.evaluate('heads()[0].getBoundingClientRect().top')).toBe(top)
    },
    LONG,
  )
})
