import { expect } from '@jest/globals'
import { accessibilityProblemsInBothModes } from '../harness/accessibility.js'
import { inBrowser, LONG, useConsole } from './in-console.js'
import { go, signedIn } from './visit.js'
import { PASSWORDS } from './world.js'

const opened = useConsole(() => ({ objects: 30, users: 4, devices: 1 }))

const object = async (id: string) =>
  (await opened.world.admin.users.objects('*', 'Product', { id })).objects[0]?.attributes as Record<string, unknown>

inBrowser(
  'an edit tells what somebody else changed meanwhile, and leaves it alone',
  async () => {
    const { world, browser } = opened
    const { page } = await signedIn(browser, world, 'otto')
    await go(page, 'objects?source=Product&open=1000007')
    await page.getByRole('button', { name: 'Edit' }).click()
    const box = page.getByLabel('Attributes as JSON')
    await box.fill((await box.inputValue()).replace('"Vigo"', '"Faro"'))
    const write = (change: object) =>
      world.admin.users.writeDocument('*', 'Product', 'md', { '1000007': { ...change } }, { append: true })
    await write({ stock: 100 })
    await page.getByRole('button', { name: 'Change…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Someone else changed 1000007 since you opened it.', { exact: false }).waitFor()
    expect(await dialog.getByLabel('Your changes').textContent()).toBe('− store: Vigo+ store: Faro')
    expect(await dialog.getByLabel('Changes by others').textContent()).toBe('− stock: 7+ stock: 100')
    expect(await accessibilityProblemsInBothModes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Change 1000007' }).click()
    await page.getByText('Changed 1000007.').waitFor()
    expect(await object('1000007')).toMatchObject({ store: 'Faro', stock: 100 })
    await write({ store: 'Cork' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Failed: another operator or device has changed it since.', { exact: false }).waitFor()
    expect(await object('1000007')).toMatchObject({ store: 'Cork', stock: 100 })
    await page.close()
  },
  LONG,
)

inBrowser(
  'of several mutations those that somebody else decided are told, and the others are decided',
  async () => {
    const { world, browser } = opened
    const { page } = await signedIn(browser, world, 'otto')
    await go(page, 'mutations')
    for (const box of await page.getByRole('checkbox').all()) await box.check()
    const [first] = await world.admin.operations.undecided({ state: 'in_doubt' })
    await world.admin.operations.discard(first?.id ?? '')
    await page.getByRole('button', { name: 'Discard…' }).click()
    await page.getByRole('button', { name: 'Discard 2 mutations' }).click()
    await page.getByText(/^1 mutation was discarded; 1 mutation was not: /).waitFor()
    await page.getByRole('heading', { name: 'No mutations' }).waitFor()
    expect(await world.admin.operations.undecided()).toEqual([])
    await page.close()
  },
  LONG,
)

inBrowser(
  'what somebody else does appears in an open list by itself',
  async () => {
    const { world, browser } = opened
    const { page } = await signedIn(browser, world, 'rita')
    await go(page, 'devices')
    await page.getByRole('row', { name: /user0001/ }).waitFor()
    await world.admin.users.deleteClient('user0001', world.devices[0]?.client ?? '')
    await page.getByRole('heading', { name: 'No devices' }).waitFor()
    await page.close()
  },
  LONG,
)

inBrowser(
  'the end of a session in the middle of an edit loses nothing that was typed, for the same person alone',
  async () => {
    const { world, browser } = opened
    const { page } = await signedIn(browser, world, 'otto')
    await go(page, 'objects?source=Product&open=1000009')
    await page.getByRole('button', { name: 'Edit' }).click()
    const box = page.getByLabel('Attributes as JSON')
    await box.fill('{"name": "Bench 9"}')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Change…' }).click()
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    await again.getByText('Your session has ended.', { exact: false }).waitFor()
    expect(await accessibilityProblemsInBothModes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    const signIn = async (login: keyof typeof PASSWORDS): Promise<void> => {
      await again.getByLabel('Login').fill(login)
      await again.getByLabel('Password').fill(PASSWORDS[login])
      await page.keyboard.press('Enter')
      await again.waitFor({ state: 'detached' })
    }
    await signIn('otto')
    await page.getByText('Failed: ', { exact: false }).waitFor()
    expect([await box.inputValue(), (await object('1000009'))['name']]).toEqual(['{"name": "Bench 9"}', 'Chair 9'])
    await page.getByRole('button', { name: 'Change…' }).click()
    await page.getByRole('button', { name: 'Change 1000009' }).click()
    await page.getByText('Changed 1000009.').waitFor()
    expect(await object('1000009')).toEqual({ name: 'Bench 9' })

    await page.getByRole('button', { name: 'Edit' }).click()
    await page.context().clearCookies()
    await page.getByRole('link', { name: 'Tokens', exact: true }).click()
    await again.waitFor()
    await signIn('rita')
    await page.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor()
    await page.getByRole('button', { name: 'Sign out rita' }).first().waitFor()
    await page.close()
  },
  LONG,
)
