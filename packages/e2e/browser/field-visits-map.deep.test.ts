import { afterAll, beforeAll, expect } from '@jest/globals'
import { inEachBrowser } from '../harness/in-each-browser.js'
import { endAll } from '../harness/process.js'
import { startServer } from '../harness/server-process.js'
import type { Tab } from '../harness/tabs.js'
import { waitFromOutside as waitFor } from '../harness/wait-from-outside.js'

/** Reads and moves the map of a page: positions are shares of the pane. */
const MAP = `
globalThis.pane = () => document.querySelector('.pane').getBoundingClientRect()
globalThis.world = () => document.querySelector('.marks').getBoundingClientRect()
globalThis.at = (x, y) => ({ clientX: pane().left + x * pane().width, clientY: pane().top + y * pane().height })
globalThis.pointer = (type, pointerId, place) => document.querySelector('.pane').dispatchEvent(
  new PointerEvent(type, { pointerId, pointerType: 'touch', bubbles: true, button: 0, ...place }))
globalThis.placeOf = (longitude, latitude) => {
  const mercator = degrees => Math.log(Math.tan(Math.PI / 4 + (degrees * Math.PI) / 360))
  const { left, top, width, height } = world()
  const y = (mercator(80) - mercator(latitude)) / (mercator(80) - mercator(-58))
  return { clientX: left + ((longitude + 180) / 360) * width, clientY: top + y * height }
}
globalThis.button = text => [...document.querySelectorAll('button')].find(one => one.textContent === text)
globalThis.visitTo = city => [...document.querySelectorAll('.visits li')].find(one => one.querySelector('strong').textContent === city)
globalThis.pinOf = city => document.querySelector('[aria-label="Open the visit to ' + city + '"]')
globalThis.note = text => {
  const field = document.querySelector('.editor[open] textarea')
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
undefined
`

let url: string
beforeAll(async () => {
  url = (await startServer({ store: 'memory:', environment: { SYNC_DEMO_VISITS: 'true' } })).url
}, 120_000)
afterAll(endAll)

const run = (tab: Tab, script: string) => tab.evaluate(`void (${script})`)
const worldWidth = (tab: Tab) => tab.evaluate('world().width') as Promise<number>

async function signIn(tab: Tab, visits: number): Promise<void> {
  await tab.evaluate(MAP)
  await waitFor(tab, `document.querySelector('.sign-in [type=submit]')`)
  await run(tab, `document.querySelector('.sign-in [type=submit]').click()`)
  await waitFor(tab, `document.querySelectorAll('.visits li').length >= ${visits}`)
}

inEachBrowser(({ test, newProfile }) => {
  test('the map fills its pane, zooms by pinch, wheel and buttons, and a click on it adds a visit', async () => {
    const tab = await (await newProfile()).open(url)
    await signIn(tab, 3)
    await waitFor(tab, `document.querySelector('.counter').textContent.includes('135,233')`)
    expect(
      await tab.evaluate(`[world().left <= pane().left, world().right >= pane().right - 1, world().top <= pane().top,
        world().bottom >= pane().bottom - 1]`),
    ).toEqual([true, true, true, true])

    const first = await worldWidth(tab)
    await run(
      tab,
      `pointer('pointerdown', 1, at(0.4, 0.5)), pointer('pointerdown', 2, at(0.6, 0.5)),
      pointer('pointermove', 2, at(0.8, 0.5)), pointer('pointerup', 1, at(0.4, 0.5)), pointer('pointerup', 2, at(0.8, 0.5))`,
    )
    await waitFor(tab, `Math.abs(world().width / ${first} - 2) < 0.05`)
    await run(
      tab,
      `document.querySelector('.pane').dispatchEvent(
      new WheelEvent('wheel', { deltaY: 20, ctrlKey: true, bubbles: true, cancelable: true, ...at(0.5, 0.5) }))`,
    )
    await waitFor(tab, `world().width < ${first} * 1.9`)
    const [zoomed, left] = (await tab.evaluate('[world().width, world().left]')) as [number, number]
    await run(
      tab,
      `pointer('pointerdown', 1, at(0.5, 0.5)), pointer('pointermove', 1, at(0.4, 0.5)), pointer('pointerup', 1, at(0.4, 0.5))`,
    )
    await waitFor(tab, `world().left < ${left} - 20`)
    expect(await worldWidth(tab)).toBeCloseTo(zoomed)
    await run(tab, `document.querySelector('[aria-label="Zoom in"]').click()`)
    await waitFor(tab, `world().width > ${zoomed} * 1.5`)
    for (let times = 0; times < 5; times++) await run(tab, `document.querySelector('[aria-label="Zoom out"]').click()`)
    await waitFor(tab, `world().width <= pane().width + 1 && world().height <= pane().height + 1`)

    await run(
      tab,
      `document.querySelector('.pane').dispatchEvent(
      new MouseEvent('click', { detail: 0, bubbles: true, ...placeOf(-0.13, 51.5) }))`,
    )
    await waitFor(tab, `document.querySelector('dialog[open] h2')?.textContent === 'London'`)
    await run(tab, `document.querySelector('.editor[open] form').requestSubmit()`)
    await waitFor(tab, `visitTo('London') && pinOf('London')`)
  }, 300_000)

  test('an edit of a visit that was removed keeps its city, and can be added as new', async () => {
    const here = await (await newProfile()).open(url)
    await signIn(here, 3)
    const elsewhere = await (await newProfile()).open(url)
    await signIn(elsewhere, 3)
    await waitFor(here, `pinOf('Nairobi')`)

    await run(here, `document.querySelector('.switch').click()`)
    await waitFor(here, `document.querySelector('.switch').ariaChecked === 'false'`)
    await run(here, `visitTo('Nairobi').querySelector('.visit').click()`)
    await waitFor(here, `document.querySelector('.editor[open] textarea')`)
    await run(here, `note('written in the tunnel')`)
    await run(here, `document.querySelector('.editor[open] form').requestSubmit()`)
    await waitFor(here, `document.querySelector('.sync-note').textContent.includes('1 waiting')`)

    await run(elsewhere, `document.querySelector('[aria-label="Remove the visit to Nairobi"]').click()`)
    await waitFor(elsewhere, `!document.querySelector('.toast')`)
    await waitFor(elsewhere, `document.querySelector('.sync-note').textContent === 'Up to date'`)
    await run(here, `document.querySelector('.switch').click()`)
    await waitFor(here, `document.querySelector('.refusal h2')?.textContent === 'Your visit to Nairobi was removed'`)
    await waitFor(here, `!visitTo('Nairobi') && !pinOf('Nairobi')`)

    await run(here, `button('Add it as new').click()`)
    await waitFor(here, `!document.querySelector('.refusal') && visitTo('Nairobi') && pinOf('Nairobi')`)
    await waitFor(elsewhere, `visitTo('Nairobi')?.textContent.includes('written in the tunnel')`)
    await run(here, `document.querySelector('[aria-label="Remove the visit to Nairobi"]').click()`)
    await waitFor(here, `!visitTo('Nairobi') && !pinOf('Nairobi')`)
  }, 300_000)
})
