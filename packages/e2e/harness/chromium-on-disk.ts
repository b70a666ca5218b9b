import { type BrowserContext, chromium } from 'playwright-core'
import { QUIET_FLAGS } from './browser.js'
import { temporaryFolder } from './stores.js'

/**
 * Opens a Chromium with an empty profile on disk, which is deleted afterwards. In other contexts of a browser, the origin's files are in memory, as
 * in private windows.
 */
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
