import { selfSigned, until } from '@godwit/testing'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { chromium } from 'playwright-core'
import puppeteer, { type Page } from 'puppeteer-core'
import { findChromium, findFirefox, QUIET_FLAGS } from '../harness/browser.js'
import { FIREFOX_PUSH, type FirefoxPushService, openFirefoxPushService } from '../harness/firefox-push-service.js'
import { temporaryFolder } from '../harness/stores.js'
import { openPushWorld, type PushWorld } from './push-world.js'

const certificate = selfSigned()
const firefox = certificate && findFirefox()
const chromiumPath = certificate && findChromium()

let world: PushWorld
let pushService: FirefoxPushService
let folder: ReturnType<typeof temporaryFolder>
beforeEach(async () => {
  folder = temporaryFolder()
  if (!certificate) return
  world = await openPushWorld(certificate)
  pushService = await openFirefoxPushService(world.service)
}, 120_000)
afterEach(async () => {
  await pushService.close()
  await world.close()
  folder.remove()
})

const openFirefox = () =>
  puppeteer.launch({
    browser: 'firefox',
    executablePath: firefox ?? '',
    headless: true,
    timeout: 120_000,
    protocolTimeout: 120_000,
    userDataDir: folder.path,
    extraPrefsFirefox: { ...FIREFOX_PUSH, 'dom.push.serverURL': pushService.url },
  })

const logIn = `ready.then(() => device.login('ada', 'ada')).then(() => device.sync()).then(() => true)`
const onFirefox = firefox === undefined ? test.skip : test
const onChromium = chromiumPath === undefined ? test.skip : test

onFirefox(
  'Firefox subscribes, receives every field with the page closed, and is gone when it unsubscribes',
  async () => {
    const { operator, service } = world
    const browser = await openFirefox()
    try {
      const page: Page = await browser.newPage()
      await page.goto(world.url)
      await page.evaluate(logIn)
      expect(await page.evaluate('renew()')).toBe('off')
      expect(await page.evaluate('subscribe()')).toBe('on')
      const client = (await page.evaluate('device.status.current().clientId')) as string
      const other = await browser.newPage()
      await page.close()
      // The server notices the end of the event stream a moment later.
      await until(async () => !(await operator.clients.get(client)).listening)
      const fields = { message: 'A new visit', badge: 3, sound: 'bell', vibrate: 1, sources: ['Note'] }
      expect(await operator.users.ping('ada', fields)).toEqual({ sent: 1, skipped: [], failed: [] })
      const { sources, ...rest } = fields
      expect(await world.untilShown(1)).toEqual({
        title: 'Field Visits',
        body: 'A new visit',
        data: { do_sync: sources, ...rest },
        pages: 0,
      })
      expect(service.received.map(({ body }) => body.includes('visit'))).toEqual([false])
      await until(() => pushService.acknowledged.length === 1)
      expect(pushService.acknowledged).toEqual([100])
      await operator.users.ping('ada', { sources: ['Note'] })
      expect(await world.untilShown(2)).toMatchObject({ body: 'There is news.', data: { do_sync: ['Note'] } })
      expect(await operator.clients.get(client)).toMatchObject({ push: { sent: 2, refused: 0, gone: 0, opened: 0 } })

      await other.goto(world.url)
      await other.evaluate('ready.then(() => device.sync()).then(() => true)')
      await until(async () => (await operator.clients.get(client)).push?.opened === 1)
      expect(await other.evaluate('renew()')).toBe('on')
      expect(await other.evaluate('unsubscribe()')).toBe('off')
      await other.goto('about:blank')
      await until(async () => !(await operator.clients.get(client)).listening)
      expect(await operator.users.ping('ada', { message: 'Too late' })).toMatchObject({
        sent: 0,
        skipped: [{ client, reason: 'no_pin' }],
      })
    } finally {
      await browser.close()
    }
  },
  180_000,
)

onChromium(
  'Chromium shows a message that its debugging protocol delivers, decrypted as a push service of ours received it',
  async () => {
    const { operator } = world
    const context = await chromium.launchPersistentContext(folder.path, {
      executablePath: chromiumPath ?? '',
      args: QUIET_FLAGS,
      timeout: 60_000,
    })
    try {
      const { origin } = new URL(world.url)
      await context.grantPermissions(['notifications'], { origin })
      // A page that stays open: messages are delivered through it.
      const keeper = await context.newCDPSession(await context.newPage())
      const registrations = new Map<string, string>()
      keeper.on('ServiceWorker.workerRegistrationUpdated', event => {
        for (const { scopeURL, registrationId } of event.registrations) registrations.set(scopeURL, registrationId)
      })
      await keeper.send('ServiceWorker.enable')
      const page = await context.newPage()
      // Chromium's own push service cannot be replaced: its part is played by the test, with the same server, worker and messages.
      await page.exposeFunction('subscribeHere', (scope: string, key: string) =>
        world.service.subscribe(key, async data => {
          const registrationId = registrations.get(scope) ?? ''
          await keeper.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
        }),
      )
      await page.addInitScript(`
        PushManager.prototype.getSubscription = async () => null
        PushManager.prototype.subscribe = async function ({ applicationServerKey }) {
          const { scope } = await navigator.serviceWorker.ready
          const text = btoa(String.fromCharCode(...new Uint8Array(applicationServerKey)))
          const json = await subscribeHere(scope, text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''))
          return { ...json, toJSON: () => json }
        }`)
      await page.goto(world.url)
      await page.evaluate(logIn)
      expect(await page.evaluate('subscribe()')).toBe('on')
      const client = (await page.evaluate('device.status.current().clientId')) as string
      await page.close()
      await until(async () => !(await operator.clients.get(client)).listening)
      expect(await operator.users.ping('ada', { message: 'A new visit', sources: ['Note'] })).toMatchObject({ sent: 1 })
      expect(await world.untilShown(1)).toMatchObject({
        title: 'Field Visits',
        body: 'A new visit',
        data: { do_sync: ['Note'], message: 'A new visit' },
        pages: 0,
      })
      const [{ endpoint }] = [
        JSON.parse((await operator.clients.get(client)).device_pin ?? '{}') as { endpoint: string },
      ]
      world.service.remove(endpoint)
      expect(await operator.users.ping('ada', { message: 'Too late' })).toMatchObject({
        failed: [{ client, reason: 'gone' }],
      })
      expect(await operator.clients.get(client)).toMatchObject({ device_pin: null, push: { sent: 1, gone: 1 } })
    } finally {
      await context.close()
    }
  },
  180_000,
)
