import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AdminClient } from '@godwit/admin-client'
import { createVapidKeys } from '@godwit/push/web-push'
import { openWebPushService, selfSigned, until, type WebPushService } from '@godwit/testing'
import { afterAll, expect, test } from '@jest/globals'
import puppeteer, { type Page } from 'puppeteer-core'
import { findFirefox } from '../harness/browser.js'
import { FIREFOX_PUSH, type FirefoxPushService, openFirefoxPushService } from '../harness/firefox-push-service.js'
import { endAll, inRepository, start } from '../harness/process.js'
import { ADMIN_PASSWORD, startServer } from '../harness/server-process.js'
import { temporaryFolder } from '../harness/stores.js'

const certificate = selfSigned()
const firefox = certificate && findFirefox()
const onFirefox = firefox === undefined ? test.skip : test

const folder = temporaryFolder()
let service: WebPushService | undefined
let pushService: FirefoxPushService | undefined
afterAll(async () => {
  await endAll()
  await pushService?.close()
  await service?.close()
  folder.remove()
})

/** Waits for a button of this text, and presses it unless it is only looked for. */
const find = (page: Page, text: string, { press = false } = {}): Promise<unknown> =>
  page.waitForFunction(
    `(() => {
      const button = [...document.querySelectorAll('button')].find(one => one.textContent === ${JSON.stringify(text)})
      if (button && ${press}) button.click()
      return button !== undefined
    })()`,
    { timeout: 120_000, polling: 500 },
  )
const press = (page: Page, text: string) => find(page, text, { press: true })

/** What the service worker shows. */
const SHOWN = `navigator.serviceWorker.ready.then(registration => registration.getNotifications()).then(all => all.map(({ title, body, data }) => ({ title, body, data })))`

onFirefox(
  'a push shows itself while Field Visits is closed, and opening it syncs what the push was about',
  async () => {
    if (certificate === undefined) return
    service = await openWebPushService(certificate)
    pushService = await openFirefoxPushService(service)
    const authority = join(folder.path, 'authority.pem')
    writeFileSync(authority, certificate.cert)
    const environment = {
      SYNC_PUSH_VAPID_KEY: createVapidKeys().privateKey,
      SYNC_PUSH_VAPID_SUBJECT: 'mailto:ops@example.org',
      NODE_EXTRA_CA_CERTS: authority,
    }
    const { url } = await startServer({ store: 'memory:', environment })
    const operator = await AdminClient.login({ url, login: 'admin', password: ADMIN_PASSWORD })
    const browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath: firefox ?? '',
      headless: true,
      timeout: 120_000,
      protocolTimeout: 120_000,
      userDataDir: join(folder.path, 'firefox'),
      extraPrefsFirefox: { ...FIREFOX_PUSH, 'dom.push.serverURL': pushService.url },
    })
    try {
      const page = await browser.newPage()
      await page.goto(url)
      await press(page, 'Sign in as ada')
      await press(page, 'Notify me')
      await find(page, 'Notifications on')
      const [client = ''] = await operator.users.clients('ada')
      expect(await operator.clients.get(client)).toMatchObject({ device_push_type: 'webpush' })
      const other = await browser.newPage()
      await page.close()
      await until(async () => !(await operator.clients.get(client)).listening)

      const caller = { GODWIT_URL: url, GODWIT_LOGIN: 'admin', GODWIT_PASSWORD: ADMIN_PASSWORD }
      const words = ['ping', 'ada', '--message', 'The bridge is closed', '--badge', '1', '--source', 'Visit']
      const command = start(inRepository('apps/server/dist/godwit.js'), words, caller)
      expect(await command.exit).toMatchObject({ code: 0 })
      expect(command.output().out).toContain('sent to 1 device')
      expect(service.received.map(({ status }) => status)).toEqual([201])
      await until(() => pushService?.acknowledged.length === 1)

      await other.goto(url)
      const expected = {
        title: 'Field Visits',
        body: 'The bridge is closed',
        data: { do_sync: ['Visit'], message: 'The bridge is closed', badge: 1 },
      }
      await until(async () => JSON.stringify(await other.evaluate(SHOWN)).includes('bridge'))
      expect(await other.evaluate(SHOWN)).toEqual([expected])
      await until(async () => (await operator.clients.get(client)).push?.opened === 1)
      expect(await operator.clients.get(client)).toMatchObject({ push: { sent: 1, refused: 0, gone: 0, opened: 1 } })
    } finally {
      await browser.close()
    }
  },
  180_000,
)
