import { existsSync, readFileSync } from 'node:fs'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { QUIET_FLAGS } from './browser.js'

/** A tab that is hidden behind the others and can be frozen, as those of users are. */
export interface UnwatchedTab {
  readonly page: Page
  /** Of the process that runs the tab and its workers. */
  readonly processId: number
  /** Shows it, which hides the others. */
  show(): Promise<void>
  /** Freezes the page and its workers, as a browser does with a hidden tab that takes room. */
  freeze(): Promise<void>
  thaw(): Promise<void>
}

/** A Chromium whose tabs are hidden and frozen as those of users are: Playwright keeps all pages in focus, and pages in focus never are. */
export interface UnwatchedChromium {
  /** Opens a tab in a separate process. */
  open(url: string): Promise<UnwatchedTab>
  close(): Promise<void>
}

export async function openUnwatchedChromium(executablePath: string): Promise<UnwatchedChromium> {
  const browser = await puppeteer.launch({
    browser: 'chrome',
    executablePath,
    timeout: 120_000,
    protocolTimeout: 120_000,
    args: QUIET_FLAGS,
  })
  const known = new Set<number>()
  return {
    async open(url) {
      const page = await browser.newPage()
      await page.goto(url)
      const processId = await processOf(page, await renderersOf(browser))
      known.add(processId)
      const session = await page.createCDPSession()
      return {
        page,
        processId,
        show: () => page.bringToFront(),
        freeze: () => session.send('Page.setWebLifecycleState', { state: 'frozen' }),
        thaw: () => session.send('Page.setWebLifecycleState', { state: 'active' }),
      }
    },
    async close() {
      // A process that is stopped would outlive its browser.
      for (const id of known) if (ticksOf(id) !== undefined) process.kill(id, 'SIGCONT')
      await browser.close()
    },
  }
}

/** The process that works when the page does: Chromium does not tell. */
async function processOf(page: Page, renderers: readonly number[]): Promise<number> {
  const before = renderers.map(id => ticksOf(id) ?? 0)
  await page.evaluate('for (let count = 0; count < 5e8; count++);')
  const worked = renderers.map((id, at) => (ticksOf(id) ?? 0) - (before[at] ?? 0))
  return renderers[worked.indexOf(Math.max(...worked))] as number
}

/** Processor time of a process in hundredths of a second, as Linux tells it; undefined: it is gone. */
function ticksOf(id: number): number | undefined {
  const stat = `/proc/${id}/stat`
  if (!existsSync(stat)) return undefined
  const [, facts = ''] = readFileSync(stat, 'utf8').split(') ')
  return Number(facts.split(' ')[11])
}

async function renderersOf(browser: Browser): Promise<readonly number[]> {
  const session = await browser.target().createCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
}
