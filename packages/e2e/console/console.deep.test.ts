import { readFileSync } from 'node:fs'
import type { StatsBucket } from '@godwit/admin-client'
import { beforeAll, expect } from '@jest/globals'
import type { Browser, Route } from 'playwright-core'
import { accessibilityProblems } from '../harness/accessibility.js'
import { openWatchedPage } from '../harness/browser.js'
import { inBrowser, isGivenUp, LONG, useConsole } from './in-console.js'
import { go, PAGES, signedIn } from './visit.js'
import { type ConsoleWorld, pull, refuseVisit } from './world.js'

const opened = useConsole(() => ({ objects: 2500, users: 30, devices: 4 }))
let world: ConsoleWorld
let browser: Browser
beforeAll(() => {
  ;({ world, browser } = opened)
})

inBrowser('a login opens the console, and nothing secret is where a script could read it', async () => {
  const { page, complaints } = await openWatchedPage(browser)
  await page.goto(`${world.url}/`)
  await page.waitForURL(/\/console\//)
  await page.getByLabel('Login').fill('admin')
  await page.getByLabel('Password').fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByText('Wrong login or password.').waitFor()
  await page.getByLabel('Password').fill('a long admin password')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  const seen = 'document.cookie + JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage })'
  expect(await page.evaluate(seen)).toBe('{}{}')
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.getByRole('button', { name: 'Sign out admin' }).first().click()
  await page.getByRole('heading', { name: 'Godwit console' }).waitFor()
  // Refusals by the server, on purpose.
  expect(complaints.filter(one => !one.includes('401') && !isGivenUp(one))).toEqual([])
  await page.close()
})

inBrowser.each(['admin', 'otto', 'rita'] as const)(
  '%s sees every page that the role may, and no page has barriers',
  async login => {
    const { page, requests, complaints } = await signedIn(browser, world, login)
    complaints.length = 0
    const found: string[] = []
    for (const [path, title] of PAGES) {
      await go(page, path)
      const isOpen = path !== 'audit' || login === 'admin'
      await page.getByRole('heading', { level: isOpen ? 1 : 2, name: isOpen ? title : 'No access' }).waitFor()
      expect((await page.getByRole('link', { name: title, exact: true }).count()) > 0).toBe(isOpen)
      for (const barrier of await accessibilityProblems(page)) found.push(`${path}: ${barrier}`)
    }
    expect(found).toEqual([])
    expect(complaints.filter(one => !isGivenUp(one))).toEqual([])
    expect(requests.filter(address => !address.startsWith(world.url) && !address.startsWith('data:'))).toEqual([])
    await page.close()
  },
  LONG,
)

inBrowser('a reader is offered nothing that changes anything', async () => {
  const { page } = await signedIn(browser, world, 'rita')
  const offered: string[] = []
  const places = [
    'sources?open=Product',
    'objects?source=Product&open=1000001',
    'users?open=user0001',
    'mutations',
    'settings',
  ]
  for (const place of [...places, `devices?open=${world.devices[0]?.client}`]) {
    await go(page, place)
    offered.push(...(await page.getByRole('button', { name: /…$|Edit|New user/ }).allTextContents()))
  }
  expect(offered).toEqual([])
  await page.close()
})

inBrowser('an object is found, changed with its difference shown, and put back', async () => {
  const { page, complaints } = await signedIn(browser, world, 'admin')
  await go(page, 'objects?source=Product')
  await page.getByLabel('Contains').fill('compass 7')
  const [first] = await page.getByRole('row').filter({ hasText: 'Compass 7' }).all()
  await first?.getByRole('link').first().click()
  await page.getByRole('button', { name: 'Edit' }).click()
  const box = page.getByLabel('Attributes as JSON')
  const { stock, ...rest } = JSON.parse(await box.inputValue()) as { stock: number; name: string }
  await box.fill(JSON.stringify({ ...rest, note: 'counted' }))
  await page.getByRole('button', { name: 'Change…' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('Your changes').textContent()).toBe(`+ note: counted− stock: ${stock}`)
  const id = new URLSearchParams(((await page.evaluate('location.hash')) as string).split('?')[1]).get('open') ?? ''
  await dialog.getByRole('button', { name: `Change ${id}` }).click()
  await page.getByText(`Changed ${id}.`).waitFor()
  const now = async () => (await world.admin.users.objects('*', 'Product', { id })).objects[0]?.attributes
  expect(await now()).toEqual({ ...rest, note: 'counted' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText(`Restored ${id}.`).waitFor()
  expect(await now()).toEqual({ ...rest, stock })
  expect(complaints.filter(one => !isGivenUp(one))).toEqual([])
  await page.close()
})

inBrowser('documents beside the objects are shown, and what the filters find is exported', async () => {
  await world.admin.users.writeDocument('*', 'Product', 'notes', { a: { text: 'by hand' } })
  const { page } = await signedIn(browser, world, 'rita')
  await go(page, 'objects?source=Product')
  await page.getByRole('combobox', { name: 'Document' }).selectOption('notes')
  await page.getByRole('row', { name: 'a {"text":"by hand"}' }).waitFor()
  await page.getByRole('combobox', { name: 'Document' }).selectOption('md_size')
  await page.getByText('2500', { exact: true }).waitFor()
  await go(page, 'objects?source=Product&contains=compass 7')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'JSON', exact: true }).click(),
  ])
  const found = JSON.parse(readFileSync((await file.path()) ?? '', 'utf8')) as Record<string, { name: string }>
  expect([file.suggestedFilename(), Object.keys(found).length > 1]).toEqual(['Product.json', true])
  expect(Object.values(found).filter(({ name }) => !name.startsWith('Compass 7'))).toEqual([])
  await page.close()
})

inBrowser('an object tells when it changed and by whom, also after it is gone', async () => {
  const { page, complaints } = await signedIn(browser, world, 'rita')
  await world.admin.push.objects('Product', '*', { 'history-1': { name: 'Sextant' } })
  await world.admin.users.writeDocument('*', 'Product', 'md', { 'history-1': { name: 'Octant' } }, { append: true })
  await go(page, 'objects?source=Product&open=history-1')
  const versions = page.getByRole('table', { name: 'Versions' })
  await versions.getByRole('row', { name: 'changed' }).getByText('an edit by admin').waitFor()
  await versions.getByRole('row', { name: 'created' }).getByText('a push by admin').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await world.admin.push.deletes('Product', '*', ['history-1'])
  await page.reload()
  await page.getByRole('heading', { name: 'Object not found' }).waitFor()
  await versions.getByRole('row', { name: 'removed' }).getByText('a push by admin').waitFor()
  expect(complaints.filter(one => !isGivenUp(one))).toEqual([])
  await page.close()
})

inBrowser('a source is queried at once, and shows the copy of a user', async () => {
  const { page, complaints } = await signedIn(browser, world, 'otto')
  await go(page, 'sources?open=Price')
  const drawer = page.getByRole('complementary', { name: 'Price' })
  await drawer.getByText('The last query failed: the price list is locked by its night run').waitFor()
  await drawer.getByRole('button', { name: 'Refresh…' }).click()
  const before = (await world.admin.system.stats.read('source:query:Price', { start: 0 })) as readonly StatsBucket[]
  await page.getByRole('button', { name: 'Refresh now' }).click()
  await page
    .getByText('The query of Price failed: the price list is locked by its night run', { exact: true })
    .waitFor()
  const after = (await world.admin.system.stats.read('source:query:Price', { start: 0 })) as readonly StatsBucket[]
  const timesOf = (all: readonly StatsBucket[]): number => all.reduce((sum, { count }) => sum + count, 0)
  expect(timesOf(after)).toBe(timesOf(before) + 1)
  await go(page, 'sources?open=Product')
  await page.getByRole('button', { name: 'Refresh…' }).click()
  await page.getByRole('button', { name: 'Refresh now' }).click()
  await page.getByText('Failed: The source Product has no query', { exact: false }).waitFor()
  await go(page, 'sources?open=Visit')
  await page.getByLabel('Partition of user').fill('user0001')
  await page.getByRole('complementary', { name: 'Visit' }).getByText('version', { exact: false }).first().waitFor()
  await page.getByRole('button', { name: 'Refresh…' }).click()
  await page.getByRole('button', { name: 'Refresh now' }).click()
  await page.getByText('Visit was queried and has 0 objects.').waitFor()
  expect(await page.evaluate('location.hash')).toContain('user=user0001')
  expect(await accessibilityProblems(page)).toEqual([])
  // The server refuses to query what has no query, on purpose.
  expect(complaints.filter(one => !isGivenUp(one) && !one.includes('422'))).toEqual([])
  await page.close()
})

inBrowser('the address of the backend is changed, and put back', async () => {
  const { page } = await signedIn(browser, world, 'admin')
  await go(page, 'settings')
  await page.getByLabel('Address').fill('https://8.8.8.8/backend')
  await page.getByRole('button', { name: 'Change…' }).click()
  await page.getByText('https://8.8.8.8/backend will serve device logins', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Change address' }).click()
  await page.getByText('Changed the backend address.').waitFor()
  expect((await world.admin.system.readAppServer()).adapter_url).toBe('https://8.8.8.8/backend')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Restored the backend address.').waitFor()
  expect((await world.admin.system.readAppServer()).adapter_url).toBe(null)
  await page.getByRole('button', { name: 'Show the secret' }).click()
  const { secret } = await world.admin.system.readBackendSecret()
  await page.getByText(secret ?? 'Set in the configuration.').waitFor()
  await page.close()
})

inBrowser('users are created from a CSV file after a question that counts them', async () => {
  const { page } = await signedIn(browser, world, 'admin')
  const choose = (text: string) =>
    page
      .getByLabel('A CSV file of users')
      .setInputFiles({ name: 'crew.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await go(page, 'users?from=crew&make=yes')
  await choose('name\nyes')
  await page.getByText('Could not read crew.csv', { exact: false }).waitFor()
  await choose('login,password,team\ncrew1,a long password,"sea, north"\ncrew2,a long password,\nuser0001,other,')
  await page.getByRole('dialog').getByText('with login, password, team', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Create 3 users' }).click()
  await page.getByText('2 created; 1 already existed and were not changed.').waitFor()
  await page.getByRole('link', { name: 'crew2' }).waitFor()
  expect((await world.admin.users.get('crew1')).attributes).toEqual({ team: 'sea, north' })
  for (const login of ['crew1', 'crew2']) await world.admin.users.delete(login)
  await page.close()
})

inBrowser('a device is pinged and reset, and then loads everything again', async () => {
  const { page } = await signedIn(browser, world, 'admin')
  const { client = '', headers = {} } = world.devices[2] ?? {}
  const { token } = await pull(world.url, headers, 'Product')
  expect((await pull(world.url, headers, 'Product', token)).status).toBe('ok')
  await go(page, `devices?open=${client}`)
  await page.getByRole('button', { name: 'Ping…' }).click()
  await page.getByText('The device is asked to sync', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Ping the device' }).click()
  await page.getByText(/Sent to \d devices?/).waitFor()
  await page.getByRole('button', { name: 'Reset…' }).click()
  await page.getByText('Unsent changes are kept.', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await page.getByText('The device will download everything again with its next sync.').waitFor()
  expect((await pull(world.url, headers, 'Product', token)).status).toBe('resync')
  await page.close()
})

/** What may become of a request, and the words for it. */
const FAILURES: readonly (readonly [words: RegExp, answer: (route: Route) => Promise<void>])[] = [
  [/no response from/, route => route.abort()],
  [/: 500/, route => route.fulfill({ status: 500, body: '<h1>Of a proxy</h1>' })],
  [
    /your role is not enough/,
    route => route.fulfill({ status: 403, json: { code: 'role_insufficient', detail: 'your role is not enough' } }),
  ],
]
/** Data that each page has shown before its server fails. */
const DATA: { readonly [path: string]: string } = {
  objects: 'objects?source=Product&contains=compass 9',
  explain: 'explain?source=Product&user=user0001&object=1000007',
  mutations: 'mutations?state=refused',
}

inBrowser.each(PAGES.map(([path]) => path))(
  'the page %s says what failed, keeps what it showed, and goes on when asked to',
  async path => {
    const { page } = await signedIn(browser, world, 'admin')
    if (path === 'mutations') await refuseVisit(world, 0)
    const requests = /\/rc\/v1\/(?!system\/session)/
    const address = DATA[path] ?? path
    const other = path === 'tokens' ? 'settings' : 'tokens'
    const displayed = async () => ((await page.locator('main').textContent()) ?? '').length
    await go(page, address)
    await page.getByText('Loading…').first().waitFor({ state: 'detached' })
    const before = await displayed()
    for (const [words, answer] of FAILURES) {
      await go(page, other)
      // An answer counts as fresh for half a second.
      await page.waitForTimeout(600)
      await page.route(requests, answer)
      await go(page, address)
      await page.getByRole('alert').filter({ hasText: words }).first().waitFor()
      expect(await displayed()).toBeGreaterThanOrEqual(before * 0.8)
      await page.unroute(requests)
      await page.evaluate(`document.querySelectorAll('main [role=alert] button').forEach(one => one.click())`)
      await page.getByRole('alert').first().waitFor({ state: 'detached' })
    }
    await page.route(requests, route => route.abort())
    await page.reload()
    await page.getByRole('heading', { name: 'The server does not respond' }).first().waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.close()
  },
  LONG,
)

inBrowser('where a session has ended, the login leads back to the page that was open', async () => {
  const { page } = await signedIn(browser, world, 'rita')
  await go(page, 'devices?user=user0002')
  await page.context().clearCookies()
  await page.getByRole('link', { name: 'Tokens', exact: true }).click()
  await page.getByText('Your session has ended.', { exact: false }).waitFor()
  await page.getByLabel('Login').fill('rita')
  await page.getByLabel('Password').fill('a long reader password')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor()
  await page.close()
})

inBrowser('a slow action says so, goes on when its page is left, and is told on the next page', async () => {
  const { page } = await signedIn(browser, world, 'admin')
  await world.admin.users.create({ login: 'slow', password: 'a long password' })
  let release = (): void => {}
  const blocked = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route('**/rc/v1/users/slow', async route => {
    if (route.request().method() === 'DELETE') await blocked
    await route.continue()
  })
  await go(page, 'users?open=slow')
  await page.getByRole('button', { name: 'Delete slow…' }).click()
  await page.getByRole('button', { name: 'Delete slow', exact: true }).click()
  await page.getByText('Working…', { exact: false }).waitFor()
  await go(page, `devices?open=${world.devices[0]?.client}`)
  const device = page.getByRole('complementary', { name: 'Android · example.stock 4.2.0' })
  await device.waitFor()
  release()
  await page.getByText('Deleted slow.').waitFor()
  await page.getByText('Working…', { exact: false }).waitFor({ state: 'detached' })
  expect(await device.count()).toBe(1)
  await page.close()
})

inBrowser('a page that is left gives up what it loads', async () => {
  const { page } = await signedIn(browser, world, 'rita')
  await page.route('**/rc/v1/system/users*', () => {})
  const sent = page.waitForRequest('**/rc/v1/system/users*')
  const givenUp = page.waitForEvent('requestfailed', request => request.url().includes('/rc/v1/system/users'))
  await go(page, 'users')
  await sent
  await go(page, 'tokens')
  expect((await givenUp).failure()?.errorText).toBe('net::ERR_ABORTED')
  await page.close()
})

inBrowser('a drawer takes the focus, and gives it back when it closes', async () => {
  const { page } = await signedIn(browser, world, 'rita')
  await go(page, 'users')
  await page.getByRole('link', { name: 'user0002' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'user0002' }).waitFor()
  expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('user0002')
  await page.keyboard.press('Escape')
  await page.getByRole('complementary').waitFor({ state: 'detached' })
  expect(await page.evaluate('document.activeElement.textContent')).toBe('user0002')
  await page.close()
})

inBrowser('a source gets another interval after a question that names it', async () => {
  const { page } = await signedIn(browser, world, 'otto')
  await go(page, 'sources?open=Visit')
  await page.getByLabel('Interval').fill('900')
  await page.getByRole('button', { name: 'Change…' }).click()
  await page.getByText('Interval: 300 → 900').waitFor()
  await page.getByRole('button', { name: 'Change settings' }).click()
  await page.getByText('Settings of Visit changed.').waitFor()
  expect((await world.admin.sources.get('Visit')).poll_interval).toBe(900)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Settings of Visit restored.').waitFor()
  expect((await world.admin.sources.get('Visit')).poll_interval).toBe(300)
  await page.close()
})

inBrowser('a mutation in doubt shows what its device wanted, and is applied by hand', async () => {
  const { page, complaints } = await signedIn(browser, world, 'otto')
  await go(page, 'mutations')
  await page.getByRole('link', { name: 'Order new1' }).click()
  const drawer = page.getByRole('complementary', { name: 'create Order new1' })
  await drawer.getByRole('row', { name: 'count 1 –' }).waitFor()
  await drawer.getByText('(backend_failed)').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await drawer.getByLabel('Id in the backend').fill('order-9')
  await drawer.getByLabel('Values in the backend, as JSON').fill('{"count": 1, "state": "open"}')
  await drawer.getByRole('button', { name: 'Mark as applied…' }).click()
  await page.getByText('The backend is not called.', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Mark as applied', exact: true }).click()
  await page.getByText('Marked the mutation as applied.').waitFor()
  const { objects } = await world.admin.users.objects('user0001', 'Order')
  expect(objects.map(({ id, attributes }) => [id, attributes])).toEqual([
    ['order-9', { product: '1000001', count: 1, state: 'open' }],
  ])
  expect(complaints.filter(one => !isGivenUp(one))).toEqual([])
  await page.close()
})

inBrowser('mutations in doubt are discarded together', async () => {
  const { page } = await signedIn(browser, world, 'otto')
  await go(page, 'mutations')
  for (const box of await page.getByRole('checkbox').all()) await box.check()
  await page.getByRole('button', { name: 'Discard…' }).click()
  await page.getByRole('button', { name: 'Discard 1 mutation' }).click()
  await page.getByRole('heading', { name: 'No mutations' }).waitFor()
  expect(await world.admin.operations.undecided()).toEqual([])
  await page.close()
})

inBrowser('a user is made, looked at and deleted by keys alone', async () => {
  const { page } = await signedIn(browser, world, 'admin')
  await go(page, 'users')
  await page.getByRole('button', { name: 'New user' }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Login', { exact: true }).fill('zoe')
  await page.getByLabel('Password', { exact: true }).fill('a long password')
  await page.keyboard.press('Enter')
  await page.getByText('Devices can log in as this user.').waitFor()
  await page.getByRole('button', { name: 'Create zoe', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Created zoe.').waitFor()
  await page.getByRole('button', { name: 'Delete zoe…' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('This cannot be undone.').waitFor()
  await page.keyboard.press('Escape')
  expect((await world.admin.users.get('zoe')).login).toBe('zoe')
  // An answered question gives the focus back where it came from.
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Cancel' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Delete zoe', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Deleted zoe.').waitFor()
  await expect(world.admin.users.get('zoe')).rejects.toMatchObject({ code: 'user_not_found' })
  await page.close()
})

inBrowser('a question that is asked right after another was answered waits for its own answer', async () => {
  const { page } = await signedIn(browser, world, 'admin')
  await go(page, 'users?open=user0028')
  await page.getByRole('button', { name: 'Delete user0028…' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Cancel' }).waitFor()
  // Faster than any key: no event of the browser comes between the answer and the next question.
  await page.evaluate(`(async () => {
    document.querySelector('dialog[open] .dialog-foot .button').click()
    await 0
    document.activeElement.click()
  })()`)
  await page.evaluate('new Promise(resolve => setTimeout(resolve, 100))')
  await page.getByRole('button', { name: 'Delete user0028', exact: true }).click()
  await page.getByText('Deleted user0028.').waitFor()
  await page.close()
})

inBrowser('a user is changed, signed out and locked out, and let in again', async () => {
  const { page } = await signedIn(browser, world, 'admin')
  await go(page, 'users?open=user0003')
  await page.getByRole('button', { name: 'Edit attributes' }).click()
  await page.getByLabel('Attributes as JSON').fill('{"team": "desert"}')
  await page.getByRole('button', { name: 'Change…' }).click()
  await page.getByRole('button', { name: 'Change user0003' }).click()
  await page.getByText('Changed user0003.').waitFor()
  expect((await world.admin.users.get('user0003')).attributes).toEqual({ team: 'desert' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Restored user0003.').waitFor()
  await page.getByRole('button', { name: 'Lock…' }).click()
  await page.getByRole('button', { name: 'Lock user0003' }).click()
  await page.getByText('user0003 is locked.').waitFor()
  const { locked, attributes } = await world.admin.users.get('user0003')
  expect([locked, attributes]).toEqual([true, { team: 'harbour' }])
  await page.getByRole('button', { name: 'Unlock user0003…' }).click()
  await page.getByRole('button', { name: 'Unlock user0003', exact: true }).click()
  await page.getByText('user0003 can log in again.').waitFor()
  expect(await world.admin.users.get('user0003')).toMatchObject({ locked: false })
  await page.close()
})

inBrowser('a device shows what it has of each source, and is signed out', async () => {
  const { page } = await signedIn(browser, world, 'otto')
  await go(page, `devices?open=${world.devices[3]?.client}`)
  await page.getByRole('row', { name: /^Visit/ }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Sign out…' }).click()
  await page.getByRole('button', { name: 'Sign the device out' }).click()
  await page.getByText('Signed the device out.').waitFor()
  expect(await pull(world.url, world.devices[3]?.headers ?? {}, 'Visit')).toMatchObject({ code: 'session_missing' })
  await page.close()
})

inBrowser('refused mutations are listed with what the device wanted, filtered by the address', async () => {
  const { page, complaints } = await signedIn(browser, world, 'rita')
  await refuseVisit(world, 1)
  await go(page, 'mutations?state=refused&user=user0002')
  await page.getByRole('link', { name: 'Visit v1' }).click()
  const drawer = page.getByRole('complementary', { name: 'create Visit v1' })
  await drawer.getByText('the visit is in the past').waitFor()
  await drawer.getByRole('row', { name: 'note late' }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await go(page, 'mutations?state=refused&user=user0009')
  await page.getByRole('heading', { name: 'No mutations' }).waitFor()
  expect(complaints.filter(one => !isGivenUp(one))).toEqual([])
  await page.close()
})

inBrowser('why an object is not on a device is told station by station', async () => {
  const { page } = await signedIn(browser, world, 'rita')
  await go(page, 'explain')
  await page.getByLabel('Source').selectOption('Product')
  await page.getByLabel('User').fill('user0001')
  await page.getByLabel('Object').fill('nowhere')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'The device does not have it' }).waitFor()
  expect(await page.getByRole('listitem').filter({ hasText: 'Object unknown' }).count()).toBe(1)
  expect(await page.evaluate('location.hash')).toContain('object=nowhere')
  await page.getByLabel('Object').fill('')
  await page.getByLabel('or text in it').fill('no such words')
  await page.keyboard.press('Enter')
  await page.getByText('contains "no such words" in an attribute', { exact: false }).waitFor()
  await page.close()
})

inBrowser.each([390, 820, 1440])('at a width of %i nothing hangs over the side', async width => {
  const { page } = await signedIn(browser, world, 'admin', { width, dark: width === 820 })
  for (const [path] of PAGES) {
    await go(page, path)
    expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width])
  }
  expect(await accessibilityProblems(page)).toEqual([])
  await page.close()
})

inBrowser('without a server a page says so, and goes on when it is back', async () => {
  const { page } = await signedIn(browser, world, 'rita')
  await page.route('**/rc/v1/system/tokens', route => route.abort())
  await go(page, 'tokens')
  await page.getByRole('heading', { name: 'The server does not respond' }).waitFor()
  await page.unroute('**/rc/v1/system/tokens')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('table', { name: 'Tokens' }).waitFor()
  await page.close()
})
