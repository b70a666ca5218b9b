import { readdirSync, readFileSync } from 'node:fs'
import puppeteer, { type Page } from 'puppeteer-core'
import { QUIET_FLAGS } from './browser.js'

/** A tab that can be hidden behind others, like those of users. */
export interface UnwatchedTab {
  readonly page: Page
  /** Id of the process that runs the tab and its workers. */
  readonly processId: number
  /** Shows the tab and hides the others. */
  show(): Promise<void>
  /** Freezes the page and its workers, as Chromium does to hidden tabs to save memory. Firefox does not. */
  freeze(): Promise<void>
  thaw(): Promise<void>
}

/** A browser whose tabs can be hidden and frozen. Playwright keeps all pages focused, which prevents both. */
export interface UnwatchedBrowser {
  /** Opens a tab in a separate process. */
  open(url: string): Promise<UnwatchedTab>
  close(): Promise<void>
}

export async function openUnwatchedBrowser(
  browserName: 'chrome' | 'firefox',
  executablePath: string,
): Promise<UnwatchedBrowser> {
  const browser = await puppeteer.launch({
    browser: browserName,
    executablePath,
    timeout: 120_000,
    protocolTimeout: 120_000,
    args: browserName === 'chrome' ? QUIET_FLAGS : [],
  })
  const { pid } = browser.process() ?? {}
  if (pid === undefined) throw new Error('expected the process of the browser')
  const known = new Set<number>()
  return {
    async open(url) {
      const page = await browser.newPage()
      await page.goto(url)
      const processId = await processOf(page, pid)
      known.add(processId)
      const setState = async (state: 'frozen' | 'active'): Promise<void> => {
        const session = await page.createCDPSession()
        await session.send('Page.setWebLifecycleState', { state })
      }
      return {
        page,
        processId,
        show: () => page.bringToFront(),
        freeze: () => setState('frozen'),
        thaw: () => setState('active'),
      }
    },
    async close() {
      // A stopped process would survive its browser.
      for (const id of known) if (statOf(id) !== undefined) process.kill(id, 'SIGCONT')
      await browser.close()
    },
  }
}

/** Finds the child process of the browser that works when the page does, since browsers do not report it. */
async function processOf(page: Page, browser: number): Promise<number> {
  const before = new Map(below(browser).map(({ id, ticks }) => [id, ticks]))
  await page.evaluate('for (let count = 0; count < 5e8; count++);')
  const worked = below(browser).map(({ id, ticks }) => ({ id, ticks: ticks - (before.get(id) ?? 0) }))
  const [busiest] = worked.toSorted((a, b) => b.ticks - a.ticks)
  if (busiest === undefined) throw new Error('expected processes of the browser')
  return busiest.id
}

interface ProcessStat {
  readonly id: number
  readonly parent: number
  /** Processor time in hundredths of a second. */
  readonly ticks: number
}

/** Returns the descendants of a process. */
function below(root: number): readonly ProcessStat[] {
  const all = readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []))
  const found: ProcessStat[] = []
  const parents = [root]
  for (const parent of parents)
    for (const child of all.filter(stat => stat.parent === parent)) {
      found.push(child)
      parents.push(child.id)
    }
  return found
}

/** Reads Linux's statistics of a process; undefined if it is gone. */
function statOf(id: number): ProcessStat | undefined {
  try {
    const [, facts = ''] = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')
    const words = facts.split(' ')
    return { id, parent: Number(words[1]), ticks: Number(words[11]) }
  } catch {
    return undefined
  }
}
