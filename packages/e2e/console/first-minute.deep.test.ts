import { until } from '@godwit/testing'
import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { inBrowser, LONG, useConsole } from './in-console.js'
import { go, signedIn } from './visit.js'
import { openClient } from './world.js'

const opened = useConsole(() => ({ objects: 400, users: 40, devices: 3 }))

/** Everything that the server answers, but for the page itself. */
const API = /\/rc\/v1\//
const HEALTH = '**/healthz'
const TOKENS_SCRIPT = /\/assets\/tokens-/

const openAway = async (page: Page, path: string, ...patterns: readonly (string | RegExp)[]): Promise<void> => {
  await page.goto('about:blank')
  for (const pattern of patterns) await page.route(pattern, route => route.abort())
  await page.goto(`${opened.world.url}/console/#/${path}`)
  await page.getByRole('alert').first().waitFor()
}

inBrowser(
  'a page that is first opened while the server is down shows itself as soon as the server is back',
  async () => {
    const { page } = await signedIn(opened.browser, opened.world, 'admin')
    const places = [
      ['tokens', page.getByRole('table', { name: 'Tokens' }), API],
      ['users', page.getByRole('table', { name: 'Users' }), '**/rc/v1/system/users*'],
      ['overview', page.getByText('Live', { exact: true }), /\/rc\/v1\/(system\/(state|stats)|events)/],
      ['tokens', page.getByRole('table', { name: 'Tokens' }), TOKENS_SCRIPT, HEALTH],
    ] as const
    for (const [path, displayed, ...patterns] of places) {
      await openAway(page, path, ...patterns)
      expect(await displayed.count()).toBe(0)
      // Long enough for a first automatic attempt to fail too.
      await page.waitForTimeout(4000)
      await page.unrouteAll()
      await displayed.waitFor({ timeout: 15_000 })
      await page.getByRole('alert').first().waitFor({ state: 'detached' })
    }
    await page.close()
  },
  LONG,
)

inBrowser('a question closes when its page is left, and nothing is done', async () => {
  const { page } = await signedIn(opened.browser, opened.world, 'admin')
  const leave = [() => page.goBack(), () => go(page, 'devices'), () => go(page, 'users?open=user0003')]
  for (const away of leave) {
    await go(page, 'users')
    await go(page, 'users?open=user0002')
    await page.getByRole('button', { name: 'Delete user0002…' }).click()
    await page.getByRole('dialog').waitFor()
    await away()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  expect((await opened.world.admin.users.get('user0002')).login).toBe('user0002')
  await page.close()
})

inBrowser('the menu of a phone closes with "back"', async () => {
  const { page } = await signedIn(opened.browser, opened.world, 'rita', { width: 390 })
  await go(page, 'users')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  const menu = page.getByRole('dialog', { name: 'More pages' })
  await menu.waitFor()
  await page.goBack()
  await menu.waitFor({ state: 'detached' })
  await page.close()
})

inBrowser.each([390, 1440])('at a width of %i the header of a table stays while its rows scroll', async width => {
  const { page } = await signedIn(opened.browser, opened.world, 'rita', { width })
  await go(page, 'objects?source=Product')
  const header = page.getByRole('columnheader', { name: 'Id' })
  await page.getByRole('link', { name: '1000001' }).waitFor()
  const before = await header.boundingBox()
  await page.evaluate(`document.querySelector('.table-scroll').scrollTop = 5000`)
  await page.getByRole('link', { name: '1000001' }).waitFor({ state: 'detached' })
  expect((await header.boundingBox())?.y).toBe(before?.y)
  await page.close()
})

inBrowser('a value is judged where it is typed, by the name of its field', async () => {
  const { page } = await signedIn(opened.browser, opened.world, 'admin')
  await go(page, 'sources?open=Visit')
  const change = page.getByRole('button', { name: 'Change…' })
  const judgements = [
    ['Priority', '0', 'Priority is at least 1'],
    ['Priority', 'soon', 'Priority is a whole number'],
    ['Interval', '-2', 'Interval is at least -1'],
    ['Retry limit', '1001', 'Retry limit is at most 1,000'],
  ] as const
  for (const [name, value, sentence] of judgements) {
    const field = page.getByLabel(name, { exact: true })
    const good = await field.inputValue()
    await field.fill(value)
    await page.getByText(sentence, { exact: true }).waitFor()
    const description = await page.evaluate(
      `document.getElementById(document.querySelector('[aria-invalid=true]').getAttribute('aria-describedby')).textContent`,
    )
    expect([description, await field.getAttribute('aria-invalid'), await change.isDisabled()]).toEqual([
      sentence,
      'true',
      true,
    ])
    await field.fill(good)
    await page.getByText(sentence, { exact: true }).waitFor({ state: 'detached' })
  }
  await go(page, 'settings')
  await page.getByLabel('Address', { exact: true }).fill('backend')
  await page.getByText('Address is a URL', { exact: false }).waitFor()
  await page.close()
})

inBrowser('what the server rejects stands at its field, and the notice covers no button of a drawer', async () => {
  const { page } = await signedIn(opened.browser, opened.world, 'admin')
  await go(page, 'users?make=yes')
  const login = page.getByLabel('Login', { exact: true })
  for (const [name, said] of [
    ['..', 'Expected a name that is not reserved'],
    ['user0002', 'exists already'],
  ] as const) {
    await login.fill(name)
    await page.getByLabel('Password', { exact: true }).fill('a long password')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button').last().click()
    await page.locator('.field', { has: login }).getByText(said, { exact: false }).waitFor()
  }
  const notice = await page.getByRole('status').locator('.notice').last().boundingBox()
  const drawer = await page.getByRole('complementary').boundingBox()
  expect((notice?.x ?? 0) + (notice?.width ?? 0)).toBeLessThanOrEqual(drawer?.x ?? 0)
  expect(await page.getByRole('status').locator('.notice').allTextContents()).not.toContainEqual(
    expect.stringContaining('/attributes/'),
  )
  await page.close()
})

inBrowser.each([390, 820, 1100])('at a width of %i a notice lies over no part of a drawer', async width => {
  const { page } = await signedIn(opened.browser, opened.world, 'admin', { width })
  await go(page, 'users?make=yes')
  await page.getByLabel('Login', { exact: true }).fill('user0002')
  await page.getByLabel('Password', { exact: true }).fill('a long password')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button').last().click()
  const notice = page.getByRole('status').locator('.notice').last()
  await notice.waitFor()
  const [top, drawer] = [(await notice.boundingBox())?.y ?? 0, await page.getByRole('complementary').boundingBox()]
  expect((drawer?.y ?? 0) + (drawer?.height ?? 0)).toBeLessThanOrEqual(top)
  await page.getByRole('complementary').getByRole('button', { name: 'Create user' }).click({ trial: true })
  await page.close()
})

inBrowser('a ping of a device reaches that device alone', async () => {
  const { world, browser } = opened
  const [first] = world.devices
  const second = await openClient(world.url, 'user0001')
  const end = new AbortController()
  const heard = await Promise.all(
    [first, second].map(async one => {
      const stream = await fetch(`${world.url}/rc/v1/app/events`, {
        headers: { ...one?.headers },
        signal: end.signal,
      })
      const text = { of: '' }
      void (async () => {
        const decoder = new TextDecoder()
        for await (const part of stream.body ?? []) text.of += decoder.decode(part, { stream: true })
      })().catch(() => {})
      return text
    }),
  )
  const { page } = await signedIn(browser, world, 'otto')
  await go(page, `devices?open=${first?.client}`)
  await page.getByRole('button', { name: 'Ping…' }).click()
  await page.getByRole('button', { name: 'Ping the device', exact: true }).click()
  await page.getByText('Sent to 1 device.').waitFor()
  await until(() => heard[0]?.of.includes('do_sync') === true, { every: 50 })
  expect(heard[1]?.of).not.toContain('do_sync')
  end.abort()
  await page.close()
})

inBrowser('a click anywhere in a row opens it, but for its controls', async () => {
  const { page } = await signedIn(opened.browser, opened.world, 'otto')
  await go(page, 'users')
  await page
    .getByRole('row', { name: /^user0004/ })
    .getByRole('cell')
    .nth(2)
    .click()
  await page.getByRole('complementary', { name: 'user0004' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('complementary').waitFor({ state: 'detached' })
  expect(await page.evaluate('document.activeElement.textContent')).toBe('user0004')
  await go(page, 'mutations')
  await page.getByRole('checkbox').first().check()
  expect(await page.getByRole('complementary').count()).toBe(0)
  await page
    .getByRole('row', { name: /Order new2/ })
    .getByRole('cell')
    .last()
    .click()
  await page.getByRole('complementary', { name: 'create Order new2' }).waitFor()
  await page.close()
})

inBrowser('numbers stand at the right, with figures of one width', async () => {
  const { page } = await signedIn(opened.browser, opened.world, 'rita')
  const columns = [
    ['objects?source=Product', ['price', 'stock', 'Version']],
    ['users', ['Devices']],
    ['sources', ['Priority']],
    ['mutations', ['Attempts']],
  ] as const
  const found: unknown[] = []
  for (const [path, titles] of columns) {
    await go(page, path)
    for (const title of titles) {
      const header = page.getByRole('columnheader', { name: title, exact: true })
      await header.waitFor()
      const styles = (await page.evaluate(`(() => {
        const cells = row => [...document.querySelector(row).children]
        const place = cells('.table-head [role=row]').findIndex(cell => cell.textContent === ${JSON.stringify(title)})
        return ['.table-head [role=row]', '.table-body [role=row]']
          .map(row => getComputedStyle(cells(row)[place]))
          .map(style => style.textAlign + ',' + style.fontVariantNumeric)
      })()`)) as readonly string[]
      if (styles.some(one => one !== 'right,tabular-nums')) found.push([path, title, styles])
    }
  }
  expect(found).toEqual([])
  await page.close()
})

inBrowser('a device has the name of its type and app, or of its user, with the id below', async () => {
  const { world, browser } = opened
  const { client } = await openClient(world.url, 'user0030')
  const named = world.devices[1]?.client ?? ''
  const { page } = await signedIn(browser, world, 'rita')
  for (const [user, id, name] of [
    ['user0002', named, 'Android · example.stock 4.2.0'],
    ['user0030', client, 'Device of user0030'],
  ] as const) {
    await go(page, `devices?user=${user}`)
    const row = page.getByRole('row', { name: new RegExp(user) })
    await row.getByText(id, { exact: true }).waitFor()
    await row.getByRole('link', { name, exact: true }).click()
    await page.getByRole('complementary', { name, exact: true }).getByText(id, { exact: true }).waitFor()
    await go(page, `users?open=${user}`)
    await page.getByRole('complementary').getByRole('link', { name, exact: true }).waitFor()
  }
  await page.close()
})
