import { until } from '@godwit/testing'
import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { inBrowser, LONG, useConsole } from './in-console.js'
import { go, signedIn } from './visit.js'
import { type ConsoleWorld, refuseVisit } from './world.js'

const opened = useConsole(() => ({ objects: 30, users: 6, devices: 2 }))

/** Whether a login of a device succeeds. */
async function mayLogIn({ url }: ConsoleWorld, login: string, password: string): Promise<boolean> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ login, password })
  return (await fetch(`${url}/rc/v1/app/login`, { method: 'POST', headers, body })).ok
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

inBrowser(
  'a password that is set is the one that lets devices in',
  async () => {
    const { world, browser } = opened
    const { page } = await signedIn(browser, world, 'admin')
    await go(page, 'users?open=user0004')
    await page.getByLabel('New password', { exact: true }).fill('a very new password')
    await press(page, 'Set password…')
    await press(page, 'Set password')
    await page.getByText('Working…', { exact: false }).waitFor({ state: 'detached' })
    await until(() => mayLogIn(world, 'user0004', 'a very new password'), { every: 100 })
    expect(await mayLogIn(world, 'user0004', 'user0004')).toBe(false)
    await page.close()
  },
  LONG,
)

inBrowser(
  'a session that is ended is refused, and the other sessions of its user go on',
  async () => {
    const { world, browser } = opened
    const logIn = async () => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ login: 'user0006', password: 'user0006' })
      const answer = await fetch(`${world.url}/rc/v1/app/login`, { method: 'POST', headers, body })
      return ((await answer.json()) as { session: string }).session
    }
    const isAccepted = async (session: string) =>
      (await fetch(`${world.url}/rc/v1/clients`, { method: 'POST', headers: { authorization: `Bearer ${session}` } }))
        .ok
    const old = await logIn()
    const [first] = await world.admin.users.sessions('user0006')
    const recent = await logIn()
    const { page } = await signedIn(browser, world, 'admin')
    await go(page, 'users?open=user0006')
    await press(page, `End the session of ${first?.created_at}`)
    await press(page, 'End the session')
    await page.getByText('Ended the session.').waitFor()
    expect([await isAccepted(old), await isAccepted(recent)]).toEqual([false, true])
    await page.getByRole('button', { name: `End the session of ${first?.created_at}` }).waitFor({ state: 'detached' })
    await page.close()
  },
  LONG,
)

inBrowser(
  'locking a user out, and letting one in, are undone as offered',
  async () => {
    const { world, browser } = opened
    const isLocked = async () => (await world.admin.users.get('user0005')).locked
    const { page } = await signedIn(browser, world, 'admin')
    await go(page, 'users?open=user0005')
    await press(page, 'Lock…')
    await press(page, 'Lock user0005')
    await page.getByText('user0005 is locked.').waitFor()
    expect([await isLocked(), await mayLogIn(world, 'user0005', 'user0005')]).toEqual([true, false])
    await press(page, 'Undo')
    await page.getByText('user0005 can log in again.').waitFor()
    expect([await isLocked(), await mayLogIn(world, 'user0005', 'user0005')]).toEqual([false, true])

    await world.admin.users.update('user0005', { locked: true })
    await page.reload()
    await press(page, 'Unlock user0005…')
    await press(page, 'Unlock user0005')
    await page.getByText('user0005 can log in again.').waitFor()
    expect(await isLocked()).toBe(false)
    await press(page, 'Undo')
    await page.getByText('user0005 is locked.').waitFor()
    expect(await isLocked()).toBe(true)
    await page.close()
  },
  LONG,
)

inBrowser(
  'a notice is heard by the listening device of the user, with the source to sync',
  async () => {
    const { world, browser } = opened
    const { headers } = world.devices[0] as ConsoleWorld['devices'][number]
    const listening = new AbortController()
    const stream = await fetch(`${world.url}/rc/v1/app/events`, { headers: { ...headers }, signal: listening.signal })
    let heard = ''
    const reading = (async () => {
      const decoder = new TextDecoder()
      for await (const part of stream.body ?? []) heard += decoder.decode(part, { stream: true })
    })().catch(() => {})
    const { page } = await signedIn(browser, world, 'admin')
    await go(page, 'mutations')
    await page.getByRole('link', { name: 'Order new1' }).click()
    await page.getByLabel('Message to user0001').fill('The order arrived by telephone.')
    await press(page, 'Send…')
    await press(page, 'Send message')
    await page.getByText('Sent to 1 device.').waitFor()
    await until(() => heard.includes('The order arrived by telephone.'), { every: 50 })
    expect(heard).toMatch(/"do_sync":\["Order"\]/)
    listening.abort()
    await reading
    await page.close()
  },
  LONG,
)

inBrowser(
  'a device shows the outcomes that it has not heard, and its stream as soon as it opens',
  async () => {
    const { world, browser } = opened
    const { client, headers } = world.devices[0] as ConsoleWorld['devices'][number]
    const { page } = await signedIn(browser, world, 'rita')
    await go(page, `devices?open=${client}`)
    const drawer = page.getByRole('complementary', { name: 'Android · example.stock 4.2.0' })
    await drawer.getByText('not open', { exact: true }).waitFor()
    await drawer.getByRole('heading', { name: 'Outcomes not yet received' }).waitFor()
    const outcomes = await drawer.getByRole('listitem').allTextContents()
    expect(outcomes.map(text => text.replace(/:.*/, ''))).toEqual([
      'in doubt Order, change 1',
      'in doubt Order, change 2',
    ])
    const listening = new AbortController()
    // Kept, since a response that is collected ends its stream.
    const stream = await fetch(`${world.url}/rc/v1/app/events`, { headers: { ...headers }, signal: listening.signal })
    await drawer.getByText('open: notified of changes immediately').waitFor({ timeout: 90_000 })
    expect(stream.status).toBe(200)
    listening.abort()
    await drawer.getByText('not open', { exact: true }).waitFor()
    await page.close()
  },
  LONG,
)

inBrowser(
  'a mutation that is retried is sent to its backend once more, and the answer is told',
  async () => {
    const { world, browser } = opened
    const attempts = async () =>
      (await world.admin.operations.undecided()).find(({ object }) => object === 'new1')?.attempts
    const before = (await attempts()) as number
    const { page } = await signedIn(browser, world, 'admin')
    await go(page, 'mutations')
    await page.getByRole('link', { name: 'Order new1' }).click()
    await press(page, 'Retry…')
    await press(page, 'Retry')
    await page
      .getByText('The mutation was retried and is still in doubt. The backend failed.', { exact: false })
      .waitFor()
    expect(await attempts()).toBe(before + 1)
    expect(await page.getByRole('complementary', { name: 'create Order new1' }).count()).toBe(1)
    await page.close()
  },
  LONG,
)

inBrowser(
  'a source tells how many objects its copy has, and how long its last query took',
  async () => {
    const { world, browser } = opened
    await refuseVisit(world, 1)
    const { page } = await signedIn(browser, world, 'rita')
    await go(page, 'sources?open=Product')
    const fact = (name: string) => page.locator(`dt:text-is("${name}") + dd`).first()
    await fact('Objects').getByText('30', { exact: true }).waitFor()
    expect(await fact('Duration').textContent()).toBe('no query in the last 31 days')
    await go(page, 'sources?open=Visit&user=user0002')
    await until(async () => /^[\d.]+ (µs|ms|s)/.test((await fact('Duration').textContent()) ?? ''), { every: 200 })
    await page.close()
  },
  LONG,
)

inBrowser(
  'the traffic is shown for an hour to thirty days, as the address says',
  async () => {
    const { world, browser } = opened
    const { page } = await signedIn(browser, world, 'rita')
    for (const [range, name, minutes] of [
      ['24h', '24 hours', 1440],
      ['7d', '7 days', 10_080],
      ['30d', '30 days', 43_200],
      ['1h', '1 hour', 60],
    ] as const) {
      const requested = page.waitForRequest(request => new RegExp(`start=-${minutes}(&|$)`).test(request.url()))
      await press(page, name)
      await requested
      await page.waitForURL(({ hash }) => hash.includes(`range=${range}`))
      await page.getByRole('img', { name: /^Pulls per second: at most / }).waitFor()
    }
    await page.close()
  },
  LONG,
)
