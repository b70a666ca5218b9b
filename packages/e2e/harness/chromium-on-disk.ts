import { type BrowserContext, chromium } from 'playwright-core'
import { QUIET_FLAGS } from './browser.js'
import { temporaryFolder } from './stores.js'

/** Opens a Chromium over an empty profile on disk, which goes with it. In the other contexts of a browser files of the origin are in memory, as in private windows. */
export async function openChromiumOnDisk(
  executablePath: string,
  more: readonly string[] = [],
): Promise<BrowserContext> {
  const folder = temporaryFolder()
  const context = await chromium.launchPersistentContext(folder.path, {
    executablePath,
    args: [...QUIET_FLAGS, ...more],
    timeout: 60_000,
  })
  context.once('close', () => folder.remove())
  return context
}
