import { readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { join } from 'node:path'
import { findProgram, freePort, until } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { visitsPage } from '../browser/visits-page.js'
import { findChromium } from '../harness/browser.js'
import { openChromiumOnDisk } from '../harness/chromium-on-disk.js'
import { folderPerTest } from '../harness/folder-per-test.js'
import { inRepository, startProgram } from '../harness/process.js'
import { startServer } from '../harness/server-process.js'

const caddy = findProgram({ names: ['caddy'], debian: 'caddy' })
const chromium = findChromium()
const folder = folderPerTest()

/** The Caddyfile of the README, with addresses of this machine alone. */
function caddyfile(from: string, to: string): string {
  const readme = readFileSync(inRepository('apps/device/README.md'), 'utf8')
  const [, text = ''] = /```caddyfile\n([^`]+)```/.exec(readme) ?? []
  return text
    .replace('https://192.168.1.20:8443 {', `${from} {\n\tbind 127.0.0.1`)
    .replace('127.0.0.1:8675', to)
    .replace('{\n', '{\n\tadmin off\n')
}

/** The certificate that the README has a phone trust, where it says that Linux has it. */
function rootCertificate(): Buffer {
  const readme = readFileSync(inRepository('apps/device/README.md'), 'utf8')
  const [, path = ''] = /`~\/(\S+root\.crt)` on Linux/.exec(readme) ?? []
  return readFileSync(join(folder.path, path))
}

/** The status of the page for a client that trusts one certificate alone. */
const statusOf = (address: string, ca: Buffer): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(address, { ca }, response => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })

const isComplete = caddy !== undefined && chromium !== undefined
const inBoth = isComplete ? test : (test.skip as typeof test)

inBoth(
  'behind the proxy of the README, Field Visits comes over https, and keeps its data on disk',
  async () => {
    const { url } = await startServer({ store: 'memory:' })
    const from = `https://127.0.0.1:${await freePort()}`
    writeFileSync(join(folder.path, 'Caddyfile'), caddyfile(from, new URL(url).host))
    startProgram(caddy ?? '', ['run'], { cwd: folder.path, env: { HOME: folder.path } })
    const browser = await openChromiumOnDisk(chromium ?? '', ['--ignore-certificate-errors'])
    try {
      const page = await browser.newPage()
      await until(
        () =>
          page.goto(from).then(
            () => true,
            () => false,
          ),
        { every: 200 },
      )
      expect(await page.evaluate('[location.protocol, isSecureContext]')).toEqual(['https:', true])
      const app = visitsPage(page)
      await app.signIn()
      await app.find('par')
      await app.add({ city: 'lisbon', note: 'over https' })
      await app.waitForVisits(1)
      const kept = `navigator.storage.getDirectory().then(folder => Array.fromAsync(folder.keys()))`
      expect(await page.evaluate(kept)).toEqual(['godwit'])
      await page.reload()
      await app.waitForVisits(1)
      expect(await statusOf(from, rootCertificate())).toBe(200)
    } finally {
      await browser.close()
    }
  },
  180_000,
)
