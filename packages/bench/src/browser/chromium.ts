import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '@godwit/testing'
import { type BrowserContext, chromium } from 'playwright-core'

const CHROMIUM = { names: ['chromium', 'chromium-browser', 'google-chrome'], debian: 'chromium' }
const QUIET = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync']

/** Runs a function with a Chromium that has a new profile on disk, because private windows keep files in memory. */
export async function withChromium<T>(run: (context: BrowserContext) => Promise<T>): Promise<T> {
  const executablePath = process.env['TEST_CHROMIUM'] || findProgram(CHROMIUM)
  if (executablePath === undefined) throw new Error('There is no Chromium: name one by TEST_CHROMIUM.')
  const folder = mkdtempSync(join(tmpdir(), 'godwit-bench-profile-'))
  const context = await chromium.launchPersistentContext(folder, { executablePath, args: QUIET })
  try {
    context.setDefaultTimeout(300_000)
    return await run(context)
  } finally {
    await context.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
