import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE_SCRIPT = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns the serious and critical violations that axe reports. The debugger runs axe, because the pages' policy forbids foreign scripts. */
export async function accessibilityProblems(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE_SCRIPT)
  const found = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`)) as {
    violations: readonly { id: string; impact: string; nodes: readonly { html: string }[] }[]
  }
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}

/** Returns the violations in dark and light mode, each prefixed with its colour scheme. */
export async function accessibilityProblemsInBothModes(page: Page): Promise<readonly string[]> {
  const found: string[] = []
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    // Contrast measured during the transition would belong to neither colour scheme.
    await page.evaluate('Promise.allSettled(document.getAnimations().map(one => one.finished)).then(() => {})')
    for (const barrier of await accessibilityProblems(page)) found.push(`${colorScheme}: ${barrier}`)
  }
  return found
}
