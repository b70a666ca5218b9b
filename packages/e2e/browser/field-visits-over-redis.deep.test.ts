import { redisIsThere, redisUrl } from '@godwit/testing'
import { afterAll, expect, test } from '@jest/globals'
import { findChromium } from '../harness/browser.js'
import { endAll } from '../harness/process.js'
import { startServer } from '../harness/server-process.js'
import { redisAddress, temporaryFolder } from '../harness/stores.js'
import { landscape, openProfile, visitsPage } from './visits-page.js'

const chromium = redisUrl() !== undefined || redisIsThere() ? findChromium() : undefined
const overRedis = chromium === undefined ? test.skip : test

const folder = temporaryFolder()
afterAll(async () => {
  await endAll()
  folder.remove()
})

overRedis(
  'over Redis a visit that was made offline, with its photo, reaches the other device of its user',
  async () => {
    const { url } = await startServer({ store: await redisAddress(folder.path) })
    const open = async (name: string) => {
      const context = await openProfile(chromium ?? '', folder.path, name)
      const page = await context.newPage()
      await page.goto(url)
      await visitsPage(page).signIn()
      return { context, page, app: visitsPage(page) }
    }
    const first = await open('first')
    const counter = first.page.locator('.counter').filter({ hasText: '135,233' })
    await counter.waitFor({ timeout: 120_000 })
    await first.page.getByRole('switch').click()
    await first.app.add({ city: 'oslo', stars: '4 stars', note: 'Snow', photo: await landscape(first.page, 200) })
    await first.app.waitForNote('Offline · 1 waiting')
    await first.page.getByRole('switch').click()
    await first.app.waitForNote(/^Up to date$/)
    await first.context.close()

    const second = await open('second')
    await second.app.waitForVisits(1)
    await second.page.getByText('Snow').waitFor({ timeout: 120_000 })
    expect(await second.app.widthOfPhoto('Oslo')).toBe(1280)
    expect(await second.app.starsOf('Oslo')).toEqual(['★★★★', '★', '4 of 5 stars'])
    await second.context.close()
  },
  300_000,
)
