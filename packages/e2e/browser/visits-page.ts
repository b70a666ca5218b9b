import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { QUIET_FLAGS } from '../harness/browser.js'

const TIMEOUT = { timeout: 120_000 }

/** A browser with a profile on disk: private windows keep files in another process, where each access takes long. */
export const openProfile = (executablePath: string, folder: string, name: string): Promise<BrowserContext> =>
  chromium.launchPersistentContext(join(folder, name), {
    executablePath,
    args: QUIET_FLAGS,
    viewport: { width: 1440, height: 900 },
  })

interface Image {
  readonly naturalWidth: number
  decode(): Promise<void>
}

async function decodedWidth(image: unknown): Promise<number> {
  await (image as Image).decode()
  return (image as Image).naturalWidth
}

interface Visit {
  readonly city: string
  readonly stars?: string
  readonly note?: string
  readonly photo?: Buffer
}

/** Field Visits, as somebody uses it. */
export const visitsPage = (page: Page) => ({
  async signIn(name = 'ada') {
    if (name !== 'ada') await page.getByRole('button', { name, exact: true }).click(TIMEOUT)
    await page.getByRole('button', { name: `Sign in as ${name}` }).click(TIMEOUT)
  },
  async find(text: string) {
    await page.getByLabel('City').fill(text)
    await page.locator('.found .city').first().waitFor(TIMEOUT)
  },
  async choose(city: string) {
    await this.find(city)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor(TIMEOUT)
  },
  async write({ stars, note, photo }: Omit<Visit, 'city'>) {
    if (stars !== undefined) await page.getByLabel(stars, { exact: true }).click()
    if (note !== undefined) await page.getByLabel('Note').fill(note)
    if (photo === undefined) return
    await page.locator('input[type=file]').setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: photo })
    await page.locator('.photo-field img').waitFor(TIMEOUT)
  },
  async add({ city, ...visit }: Visit) {
    await this.choose(city)
    await this.write(visit)
    await page.getByRole('button', { name: 'Add visit' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached', ...TIMEOUT })
  },
  visits: () => page.locator('.visits strong').allTextContents(),
  /** The parts of what a visit shows as its rating, and how a screen reader says it. */
  async starsOf(city: string): Promise<readonly string[]> {
    const stars = page.locator('.visits li').filter({ hasText: city }).locator('.stars')
    const parts = await stars.evaluate(element => [...element.childNodes].map(({ textContent }) => textContent ?? ''))
    return [...parts.filter(part => part !== ''), (await stars.getAttribute('aria-label')) ?? '']
  },
  /** How wide the photo of a visit is, once its bytes are on the device. Rejects where they show nothing. */
  async widthOfPhoto(city: string): Promise<number> {
    const image = page.getByAltText(`Photo of ${city}`)
    await image.waitFor(TIMEOUT)
    return image.evaluate(decodedWidth)
  },
  waitForNote: (text: string | RegExp) => page.locator('.sync-note').filter({ hasText: text }).waitFor(TIMEOUT),
  waitForVisits: (count: number) =>
    page
      .locator('.visits li')
      .nth(count - 1)
      .waitFor(TIMEOUT),
})

/** A landscape that no camera took: a sky, the sun and hills, as PNG. */
export async function landscape(page: Page, hue: number): Promise<Buffer> {
  const text = (await page.evaluate(`(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 1800
    canvas.height = 1350
    const c = canvas.getContext('2d')
    const fill = (from, to, top, bottom) => {
      const g = c.createLinearGradient(0, top, 0, bottom)
      g.addColorStop(0, from)
      g.addColorStop(1, to)
      c.fillStyle = g
    }
    fill('hsl(${hue} 70% 62%)', 'hsl(${hue + 150} 85% 84%)', 0, 900)
    c.fillRect(0, 0, 1800, 1350)
    c.fillStyle = 'hsl(45 100% 92%)'
    c.beginPath()
    c.arc(1250, 480, 120, 0, 7)
    c.fill()
    for (const [at, high, light] of [[700, 160, 58], [860, 120, 42], [1030, 90, 28]]) {
      fill('hsl(${hue - 40} 35% ' + light + '%)', 'hsl(${hue - 60} 40% ' + (light - 14) + '%)', at - high, 1350)
      c.beginPath()
      c.moveTo(0, 1350)
      for (let x = 0; x <= 1800; x += 10)
        c.lineTo(x, at + high * Math.sin(x / (90 + light * 4) + at) * Math.cos(x / 610 + light))
      c.lineTo(1800, 1350)
      c.fill()
    }
    return canvas.toDataURL('image/png').split(',')[1]
  })()`)) as string
  return Buffer.from(text, 'base64')
}
