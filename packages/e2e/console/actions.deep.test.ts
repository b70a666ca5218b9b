import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Attributes } from '@godwit/protocol'
import { defineSource } from '@godwit/server'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { accessibilityProblemsInBothModes } from '../harness/accessibility.js'
import { inBrowser, LONG, useConsole } from './in-console.js'
import { go, signedIn } from './visit.js'

const OFFERED = 'You can undo this right afterward.'
const NEVER = 'This cannot be undone.'

interface Action {
  readonly name: string
  /** Where it is offered. */
  readonly path: string
  /** What is filled in first. */
  readonly prepare?: (page: Page) => Promise<unknown>
  /** The button that asks; or what asks in another way. */
  readonly ask: string | ((page: Page) => Promise<unknown>)
  /** The button that does it. */
  readonly act: string
  readonly undo: string
}

const fill = (label: string | RegExp, text: string) => (page: Page) =>
  page.getByLabel(label, { exact: true }).fill(text)
const edit = (button: string) => async (page: Page) => {
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByLabel('Attributes as JSON').fill('{"team": "tundra"}')
}
const newUser = async (page: Page): Promise<void> => {
  await fill('Login', 'nina')(page)
  await fill('Password', 'a long password')(page)
}
const chooseCsv = (page: Page): Promise<void> =>
  page
    .getByLabel('A CSV file of users')
    .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('login,password\nx1,a long password') })
const chooseMutation = (page: Page): Promise<void> => page.getByRole('checkbox').first().check()
const openMutation = (page: Page): Promise<void> => page.getByRole('link', { name: 'Order new1' }).click()

const PRODUCT = 'objects?source=Product&open=1000007'
const DEVICE = 'devices?open='

/** Everything that the console changes. */
const ACTIONS: readonly Action[] = [
  {
    name: 'change an object',
    path: PRODUCT,
    prepare: edit('Edit'),
    ask: 'Change…',
    act: 'Change 1000007',
    undo: OFFERED,
  },
  { name: 'remove an object', path: PRODUCT, ask: 'Remove…', act: 'Remove 1000007', undo: NEVER },
  {
    name: 'apply removals that are held back',
    path: 'sources?open=Store',
    ask: 'Apply…',
    act: 'Apply now',
    undo: NEVER,
  },
  {
    name: 'refresh a source',
    path: 'sources?open=Price',
    ask: 'Refresh…',
    act: 'Refresh now',
    undo: NEVER,
  },
  {
    name: 'change the settings of a source',
    path: 'sources?open=Visit',
    prepare: fill(/Interval/, '77'),
    ask: 'Change…',
    act: 'Change settings',
    undo: OFFERED,
  },
  {
    name: 'change the address of the backend',
    path: 'settings',
    prepare: fill(/Address/, 'https://8.8.8.8/backend'),
    ask: 'Change…',
    act: 'Change address',
    undo: OFFERED,
  },
  {
    name: 'make a user',
    path: 'users?make=yes',
    prepare: newUser,
    ask: 'Create user…',
    act: 'Create nina',
    undo: 'To undo this, delete the user.',
  },
  {
    name: 'make users from a file',
    path: 'users?make=yes',
    ask: chooseCsv,
    act: 'Create 1 user',
    undo: 'To undo this, delete them one by one.',
  },
  {
    name: 'change the attributes of a user',
    path: 'users?open=user0002',
    prepare: edit('Edit attributes'),
    ask: 'Change…',
    act: 'Change user0002',
    undo: OFFERED,
  },
  {
    name: 'set a password',
    path: 'users?open=user0002',
    prepare: fill('New password', 'another long password'),
    ask: 'Set password…',
    act: 'Set password',
    undo: NEVER,
  },
  {
    name: 'sign a user out everywhere',
    path: 'users?open=user0002',
    ask: 'Sign out everywhere…',
    act: 'Sign out everywhere',
    undo: NEVER,
  },
  {
    name: 'end a session',
    path: 'users?open=user0001',
    ask: page =>
      page
        .getByRole('button', { name: /^End the session of/ })
        .first()
        .click(),
    act: 'End the session',
    undo: NEVER,
  },
  { name: 'lock a user out', path: 'users?open=user0002', ask: 'Lock…', act: 'Lock user0002', undo: OFFERED },
  {
    name: 'let a user in',
    path: 'users?open=user0005',
    ask: 'Unlock user0005…',
    act: 'Unlock user0005',
    undo: OFFERED,
  },
  { name: 'delete a user', path: 'users?open=user0002', ask: 'Delete user0002…', act: 'Delete user0002', undo: NEVER },
  { name: 'ping a device', path: DEVICE, ask: 'Ping…', act: 'Ping the device', undo: NEVER },
  { name: 'sign a device out', path: DEVICE, ask: 'Sign out…', act: 'Sign the device out', undo: NEVER },
  { name: 'reset a device', path: DEVICE, ask: 'Reset…', act: 'Reset', undo: NEVER },
  { name: 'delete a device', path: DEVICE, ask: 'Delete…', act: 'Delete the device', undo: NEVER },
  {
    name: 'retry a mutation',
    path: 'mutations',
    prepare: openMutation,
    ask: 'Retry…',
    act: 'Retry',
    undo: NEVER,
  },
  {
    name: 'discard a mutation',
    path: 'mutations',
    prepare: openMutation,
    ask: 'Discard…',
    act: 'Discard',
    undo: NEVER,
  },
  {
    name: 'apply a mutation by hand',
    path: 'mutations',
    prepare: openMutation,
    ask: 'Mark as applied…',
    act: 'Mark as applied',
    undo: NEVER,
  },
  {
    name: 'send a message to a user',
    path: 'mutations',
    prepare: async page => {
      await openMutation(page)
      await fill('Message to user0001', 'The order arrived.')(page)
    },
    ask: 'Send…',
    act: 'Send message',
    undo: NEVER,
  },
  {
    name: 'retry several mutations',
    path: 'mutations',
    prepare: chooseMutation,
    ask: 'Retry 1 mutation…',
    act: 'Retry 1 mutation',
    undo: NEVER,
  },
  {
    name: 'discard several mutations',
    path: 'mutations',
    prepare: chooseMutation,
    ask: 'Discard…',
    act: 'Discard 1 mutation',
    undo: NEVER,
  },
  {
    name: 'revoke a token',
    path: 'tokens?login=rita',
    ask: page =>
      page
        .getByRole('button', { name: /^Revoke the token of rita/ })
        .first()
        .click(),
    act: 'Revoke',
    undo: NEVER,
  },
]

/** Its backend loses all objects after the first query. */
let stores = 101
const Store = defineSource<Attributes>({
  name: 'Store',
  partition: 'app',
  pollInterval: -1,
  query: () => Object.fromEntries(Array.from({ length: stores }, (_, at) => [`id ${at}`, {}])),
})

const opened = useConsole(() => ({ objects: 50, users: 6, devices: 1, sources: [Store] }))
let page: Page
beforeAll(async () => {
  const { world, browser } = opened
  if (!browser) return
  await world.admin.users.update('user0005', { locked: true })
  await world.admin.readState.refresh('*', 'Store')
  stores = 0
  await world.admin.readState.refresh('*', 'Store')
  await (await signedIn(browser, world, 'rita')).page.close()
  ;({ page } = await signedIn(browser, world, 'admin'))
  page.setDefaultTimeout(15_000)
}, LONG)
afterAll(() => page?.close())

inBrowser.each(ACTIONS)(
  'to $name is asked once, can be left while it goes on, and its end is told on another page',
  async ({ name, path, prepare, ask, act, undo }) => {
    await page.unrouteAll()
    await page.reload()
    const sent: string[] = []
    const release = Promise.withResolvers<void>()
    await page.route(/\/(rc|app)\/v1\//, async route => {
      if (route.request().method() === 'GET') return route.continue()
      sent.push(route.request().url())
      await release.promise
      await route.fulfill({ status: 409, json: { code: 'busy', detail: `not now: ${name}` } })
    })
    const dialog = page.getByRole('dialog')
    const open = () =>
      typeof ask === 'string' ? page.getByRole('button', { name: ask, exact: true }).click() : ask(page)
    // What was open before, and what the pointer was at, is gone.
    await page.mouse.move(0, 0)
    await go(page, path === DEVICE ? `${DEVICE}${opened.world.devices[0]?.client}` : path)
    await prepare?.(page)
    await open()
    await dialog.getByText(undo).waitFor()
    await page.mouse.move(0, 0)
    expect(await accessibilityProblemsInBothModes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect([sent, await dialog.count()]).toEqual([[], 0])
    await open()
    await dialog.getByRole('button', { name: act, exact: true }).click()
    await page.getByText('Working… You can leave this page', { exact: false }).waitFor()
    expect([sent.length > 0, await dialog.count()]).toEqual([true, 0])
    await go(page, 'jobs')
    release.resolve()
    await page.getByText(`Failed: not now: ${name}`).waitFor()
    await page.getByText('Working…', { exact: false }).waitFor({ state: 'detached' })
  },
  LONG,
)

test('every question of the console is among them', () => {
  const folder = fileURLToPath(new URL('../../../apps/console/src/', import.meta.url))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.tsx'))
  const questions = files.flatMap(file => readFileSync(folder + file, 'utf8').match(/await confirm\(/g) ?? [])
  // One editor changes the attributes of objects and of users.
  expect(questions.length + 1).toBe(ACTIONS.length)
})
