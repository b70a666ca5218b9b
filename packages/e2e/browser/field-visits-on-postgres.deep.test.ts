import { postgresIsThere, type RunningPostgres, startPostgres, until } from '@godwit/testing'
import { afterAll, beforeAll, expect } from '@jest/globals'
import pg from 'pg'
import { inEachBrowser } from '../harness/in-each-browser.js'
import { endAll } from '../harness/process.js'
import { startServer } from '../harness/server-process.js'
import type { Tab } from '../harness/tabs.js'

/** Finds the dot of a place on the canvas of the map: whether any of the pixels around it is drawn. */
const DOTS = `
globalThis.isDrawn = (longitude, latitude) => {
  const mercator = degrees => Math.log(Math.tan(Math.PI / 4 + (degrees * Math.PI) / 360))
  const { left, top, width, height } = document.querySelector('.marks').getBoundingClientRect()
  const canvas = document.querySelector('.pane canvas')
  const box = canvas.getBoundingClientRect()
  const y = (mercator(80) - mercator(latitude)) / (mercator(80) - mercator(-58))
  const scale = canvas.width / box.width
  const atX = Math.round((left + ((longitude + 180) / 360) * width - box.left) * scale)
  const atY = Math.round((top + y * height - box.top) * scale)
  return canvas.getContext('2d').getImageData(atX - 2, atY - 2, 6, 6).data.some(part => part > 0)
}
undefined
`
/** In the South Atlantic, where no city is, and in the part of the world that a narrow pane shows. */
const EMPTY = [-25, -25] as const

let postgres: RunningPostgres | undefined
let database: pg.Client | undefined
let url = ''
beforeAll(async () => {
  if (!postgresIsThere()) return
  postgres = await startPostgres()
  const environment = { SYNC_DEMO_VISITS: 'true', SYNC_DEMO: postgres.url }
  url = (await startServer({ store: 'memory:', environment })).url
  database = new pg.Client({ connectionString: postgres.url })
  await database.connect()
}, 120_000)
afterAll(async () => {
  await endAll()
  await database?.end()
  await postgres?.stop()
})

async function waitFor(tab: Tab, script: string): Promise<void> {
  const holds = async () => Boolean(await tab.evaluate(`Boolean(${script})`))
  await until(holds, { every: 100, within: 150_000 }).catch(async () => {
    throw new Error(`expected ${script} on a page with the text: ${await tab.evaluate('document.body.innerText')}`)
  })
}

inEachBrowser(({ test, newProfile }) => {
  test('an UPDATE in the database moves a dot on the map of an open browser, and a pin', async () => {
    if (database === undefined) return
    const tab = await (await newProfile()).open(url)
    await tab.evaluate(DOTS)
    await waitFor(tab, `document.querySelector('.sign-in [type=submit]')`)
    await tab.evaluate(`void document.querySelector('.sign-in [type=submit]').click()`)
    await waitFor(tab, `document.querySelector('.counter')?.textContent.includes('135,233')`)
    await waitFor(tab, `document.querySelectorAll('.visits li').length >= 3`)
    const drawn = () => tab.evaluate(`isDrawn(${EMPTY[0]}, ${EMPTY[1]})`)
    expect(await drawn()).toBe(false)
    const { rows } = await database.query(
      'SELECT id, longitude, latitude FROM city WHERE name = $1 ORDER BY population DESC LIMIT 1',
      ['London'],
    )
    const [city] = rows as { id: string; longitude: number; latitude: number }[]
    const move = (longitude: number, latitude: number) =>
      database?.query('UPDATE city SET longitude = $2, latitude = $3 WHERE id = $1', [city?.id, longitude, latitude])
    // The first change may come while the cities are still drawn.
    const begun = Date.now()
    await move(...EMPTY)
    await until(async () => (await drawn()) === true, { every: 20 })
    process.stderr.write(`an UPDATE was on the map of ${tab.constructor.name} after ${Date.now() - begun} ms\n`)
    await move(city?.longitude ?? 0, city?.latitude ?? 0)
    await until(async () => (await drawn()) === false, { every: 20 })

    const pin = `document.querySelector('[aria-label="Open the visit to Nairobi"]')`
    await waitFor(tab, pin)
    const before = await tab.evaluate(`${pin}.style.left`)
    await database.query(`UPDATE city SET longitude = longitude + 10 WHERE name = 'Nairobi'`)
    await waitFor(tab, `${pin}.style.left !== ${JSON.stringify(before)}`)
    await database.query(
      `UPDATE visit SET note = 'written in psql' WHERE user_login = 'ada' AND city_id = (SELECT id FROM city WHERE name = 'Nairobi' LIMIT 1)`,
    )
    await waitFor(tab, `document.querySelector('.visits').textContent.includes('written in psql')`)
    await database.query(`UPDATE city SET longitude = longitude - 10 WHERE name = 'Nairobi';
      UPDATE visit SET note = 'taken back' WHERE note = 'written in psql'`)
  }, 300_000)
})
